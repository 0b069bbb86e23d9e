import FileSystem
import Foundation
import Synchronization

extension StoreFolder {
    /// The folder that holds the store's folder, nil where there is none.
    func openParent(making: Bool) throws -> Handle? {
        let path = parent.path(percentEncoded: false)
        guard making else {
            return try fileSystem.unlessMissing { try fileSystem.openFolder(at: path) }
        }
        let folder = try fileSystem.openOrMakeFolder(at: path, mode: Self.folderMode)
        if !hasSweptParent.exchange(true, ordering: .relaxed) { sweep(folder) }
        return folder
    }

    /// The store's own folder, nil where there is none.
    func openRoot(making: Bool) throws -> Handle? {
        let name = try name.get()
        guard let parent = try openParent(making: making) else { return nil }
        return try openFolder(name, in: parent, making: making, path: url.path)
    }

    /// The folder that holds `path`; where there is none, it is made or is an error.
    func openFolder(holding path: StorePath, making: Bool = false) throws -> Handle {
        try openFolder(path.folders, of: path, making: making)
    }

    /// The folder at `path`; where there is none, it is made or is an error.
    func openFolder(_ path: StorePath, making: Bool = false) throws -> Handle {
        try openFolder(path.names[...], of: path, making: making)
    }

    private func openFolder(_ names: ArraySlice<FileName>, of path: StorePath, making: Bool) throws
        -> Handle
    {
        var folder = try openRoot(making: making)
        for name in names {
            guard let parent = folder else { break }
            folder = try openFolder(name, in: parent, making: making, path: path.string)
        }
        guard let folder else { throw FileStoreError.fileNotFound(path: path.string) }
        return folder
    }

    private func openFolder(_ name: FileName, in parent: Handle, making: Bool, path: String) throws
        -> Handle?
    {
        do {
            if let folder = try fileSystem.openFolderIfPresent(name, in: parent) {
                if making { try settle(folder, in: parent) }
                return folder
            }
            guard making else { return nil }
            let folder = try make(name, in: parent)
            try settle(folder, in: parent)
            return folder
        } catch let error as FileSystemError {
            switch error.code {
            case .noSuchFile: throw error
            case .notFolder, .tooManyLinks:
                // Linux says the same of a link and of a file.
                let isFile = try fileSystem.status(of: name, in: parent)?.kind == .file
                throw isFile ? FileStoreError.notADirectory(path: path) : .link(path: path)
            default: throw FileStoreError(error, path: path, making ? .makeFolder : .read)
            }
        }
    }

    private func make(_ name: FileName, in parent: Handle) throws -> Handle {
        try fileSystem.openOrMakeFolder(name, in: parent, mode: Self.folderMode)
    }
}

extension StoreFolder {
    /// Makes sure of a folder before this process first writes into it.
    ///
    /// Whoever made the folder may not have synced the one above it yet, or may have died before
    /// that. Its mode and its protection become the store's, if that has any, and what writers that
    /// died have left in it goes.
    private func settle(_ folder: Handle, in parent: Handle) throws {
        let identity = try fileSystem.status(of: folder).identity
        if settled.withLock({ $0.contains(identity) }) { return }
        if protection != .none {
            try fileSystem.protect(folder, mode: Self.folderMode, as: protection)
        }
        try fileSystem.sync(parent)
        sweep(folder)
        _ = settled.withLock { $0.insert(identity) }
    }

    /// Removes what writers that died have left in `folder`.
    ///
    /// Best effort: what cannot be removed is never listed, and goes another time.
    func sweep(_ folder: Handle) {
        for name in (try? fileSystem.list(folder)) ?? [] where TemporaryName.matches(name) {
            guard let status = try? fileSystem.status(of: name, in: folder), status.isStale else {
                continue
            }
            try? fileSystem.removeTree(name, in: folder)
        }
    }
}
