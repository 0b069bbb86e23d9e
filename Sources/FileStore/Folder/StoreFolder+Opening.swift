import FileSystem
import Foundation
import Synchronization

extension StoreFolder {
    /// Opens the folder that holds the store's folder; nil if it does not exist.
    func openParent(making: Bool) throws -> Handle? {
        let path = parent.path(percentEncoded: false)
        guard making else {
            return try fileSystem.unlessMissing { try fileSystem.openFolder(at: path) }
        }
        let folder = try fileSystem.openOrMakeFolder(at: path, mode: Self.folderMode)
        if !hasSweptParent.exchange(true, ordering: .relaxed) { sweep(folder) }
        return folder
    }

    /// Opens the store's folder; nil if it does not exist.
    func openRoot(making: Bool) throws -> Handle? {
        let name = try name.get()
        let parent: Handle?
        do {
            parent = try openParent(making: making)
        } catch let error as FileSystemError where error.isAccessRefusal {
            return try openGrantedRoot(making: making, unless: error)
        } catch let error as FileSystemError where making && error.code != .noSuchFile {
            throw FileStoreError(error, path: url.path, .makeFolder)
        }
        guard let parent else { return nil }
        return try openFolder(name, in: parent, making: making, path: url.path, own: url.path)
    }

    /// Opens the store's folder by its path; throws `refusal` if that fails too.
    ///
    /// A sandbox grants access to the folder that the user picked, or to that of an app group, but not to the
    /// folder above it: "Accessing files from the macOS App Sandbox" of Apple's documentation.
    private func openGrantedRoot(making: Bool, unless refusal: FileSystemError) throws -> Handle? {
        let folder: Handle
        do {
            folder = try fileSystem.openFolderItself(at: url.path)
        } catch let error as FileSystemError
            where [.notFolder, .tooManyLinks].contains(error.code)
        {
            // Linux reports the same error for a link and for a file; only a file can be opened as a file.
            let isFile = (try? fileSystem.openFile(at: url.path)) != nil
            throw isFile ? FileStoreError.notADirectory(path: url.path) : .link(path: url.path)
        } catch let error as FileSystemError where making && error.code == .noSuchFile {
            throw FileStoreError(refusal, path: url.path, .makeFolder)
        } catch {
            throw refusal
        }
        if making { try prepare(folder, in: nil) }
        return folder
    }

    /// Opens the folder that holds `path`; if it is missing, makes it if `making`, else throws.
    func openFolder(holding path: StorePath, making: Bool = false) throws -> Handle {
        try openFolder(path.folders, of: path, making: making)
    }

    /// Opens the folder at `path`; if it is missing, makes it if `making`, else throws.
    func openFolder(_ path: StorePath, making: Bool = false) throws -> Handle {
        try openFolder(path.names[...], of: path, making: making)
    }

    private func openFolder(_ names: ArraySlice<FileName>, of path: StorePath, making: Bool) throws
        -> Handle
    {
        var folder = try openRoot(making: making)
        for (count, name) in zip(1..., names) {
            guard let parent = folder else { break }
            folder = try openFolder(
                name, in: parent, making: making, path: path.string, own: path.prefix(count))
        }
        guard let folder else { throw FileStoreError.fileNotFound(path: path.string) }
        return folder
    }

    /// Opens the folder `name`; nil if it is missing and not to be made.
    ///
    /// An error names `path`, the path of the call, or `own`, that of the folder, if the folder cannot be
    /// made.
    private func openFolder(
        _ name: FileName, in parent: Handle, making: Bool, path: String, own: String
    ) throws -> Handle? {
        var isMissing = false
        do {
            if let folder = try fileSystem.openFolderIfPresent(name, in: parent) {
                if making { try prepare(folder, in: parent) }
                return folder
            }
            guard making else { return nil }
            isMissing = true
            let folder = try fileSystem.openOrMakeFolder(
                name, in: parent, mode: Self.folderMode)
            try prepare(folder, in: parent)
            return folder
        } catch let error as FileSystemError {
            switch error.code {
            case .noSuchFile: throw error
            case .notFolder, .tooManyLinks:
                // Linux reports the same error for a link and for a file, so ask for the kind.
                let isFile = try fileSystem.status(of: name, in: parent)?.kind == .file
                throw isFile ? FileStoreError.notADirectory(path: path) : .link(path: path)
            case _ where isMissing: throw FileStoreError(error, path: own, .makeFolder)
            case _ where making: throw error
            default: throw FileStoreError(error, path: path, .read)
            }
        }
    }
}

extension StoreFolder {
    /// Prepares a folder before this store first writes into it.
    ///
    /// Unless the store's protection is `.none`, the folder gets the store's mode and protection. Stale
    /// temporary files in it are removed.
    ///
    /// The process that made the folder may have died before it synced `parent`, the folder above. So this
    /// method syncs `parent`, which is nil if the store may not open it.
    private func prepare(_ folder: Handle, in parent: Handle?) throws {
        let identity = try fileSystem.status(of: folder).identity
        if prepared.withLock({ $0.contains(identity) }) { return }
        if protection != .none {
            try fileSystem.protect(folder, mode: Self.folderMode, as: protection)
        }
        if let parent { try fileSystem.sync(parent) }
        sweep(folder)
        _ = prepared.withLock { $0.insert(identity) }
    }

    /// Removes the temporary files and folders in `folder` that dead processes left.
    ///
    /// Best effort: a file that cannot be removed is never listed, and the next sweep tries again.
    func sweep(_ folder: Handle) {
        for name in (try? fileSystem.list(folder)) ?? [] where TemporaryName.matches(name) {
            guard let status = try? fileSystem.status(of: name, in: folder), status.isStale else {
                continue
            }
            try? fileSystem.removeTree(name, in: folder)
        }
    }
}
