import FileSystem
import Foundation

extension StoreFolder {
    /// Makes `data` the file at `path`.
    func save(_ data: Data, to path: StorePath, overwrite: Bool) throws {
        try write(to: path, overwrite: overwrite) { name, folder in
            let file = try fileSystem.openFile(name, in: folder, for: .create(mode: Self.fileMode))
            try protect(file)
            try data.withUnsafeBytes { try fileSystem.write($0, to: file, at: 0) }
            return file
        }
    }

    /// Makes a copy of `source` the file at `path`.
    func copy(
        _ source: StoreSource, to path: StorePath, overwrite: Bool, _ cancellation: Cancellation
    ) throws {
        try write(to: path, overwrite: overwrite) { name, folder in
            try source.file.copy(
                as: name, in: folder, mode: Self.fileMode,
                on: source.isOnStoreFileSystem ? nil : fileSystem, prepare: protect
            ) { _ in try cancellation.check() }
        }
    }

    /// Makes `source` itself the file at `path`, or a copy of it if it cannot be renamed.
    func move(
        _ source: StoreSource, to path: StorePath, overwrite: Bool, _ cancellation: Cancellation
    ) throws {
        let folder = try source.openFolder()
        if try rename(source, from: folder, to: path, overwrite: overwrite) { return }
        try copy(source, to: path, overwrite: overwrite, cancellation)
        try source.remove(from: folder)
    }

    func makeFolder(_ path: StorePath) throws {
        try retrying { _ = try openFolder(path, making: true) }
    }
}

extension StoreFolder {
    /// Gives the file that `make` writes under a temporary name the path `path`.
    private func write(
        to path: StorePath, overwrite: Bool, _ make: (FileName, Handle) throws -> Handle
    ) throws {
        try retrying {
            let folder = try openFolder(holding: path, making: true)
            try checkTarget(path, in: folder, overwrite: overwrite)
            let name = try TemporaryName.random()
            try fileSystem.placeFile(
                path.name, in: folder, from: name, in: folder, replacing: overwrite
            ) { try make(name, folder) }
        }
    }

    private func protect(_ file: Handle) throws {
        try fileSystem.protect(file, mode: Self.fileMode, as: protection)
    }

    /// Renames `source` from `sourceFolder` to `path`, or returns false if it must be copied instead.
    ///
    /// A file on another volume or of another user cannot be renamed. A file with several names
    /// must be copied, because it could still be changed under another name.
    private func rename(
        _ source: StoreSource, from sourceFolder: Handle, to path: StorePath, overwrite: Bool
    ) throws -> Bool {
        guard source.isOnStoreFileSystem, source.file.status.linkCount <= 1 else { return false }
        do {
            try retrying {
                let folder = try openFolder(holding: path, making: true)
                try checkTarget(path, in: folder, overwrite: overwrite)
                try protect(source.file.handle)
                try fileSystem.sync(source.file.handle)
                guard try source.file.hasItsName(in: sourceFolder) else {
                    throw FileStoreError.fileNotFound(path: source.path)
                }
                try fileSystem.rename(
                    source.file.name, in: sourceFolder, to: path.name, in: folder,
                    replacing: overwrite)
                try fileSystem.sync(folder)
                try fileSystem.sync(sourceFolder)
            }
            return true
        } catch let error as FileSystemError
            where error.code == .crossDevice || error.code == .notPermitted
        {
            return false
        }
    }

    /// Checks that the file at `path` may be replaced.
    ///
    /// Only the check for links is needed: the rename checks the rest again. This finds errors before
    /// the bytes are written.
    private func checkTarget(_ path: StorePath, in folder: Handle, overwrite: Bool) throws {
        switch try fileSystem.status(of: path.name, in: folder)?.kind {
        case nil: break
        case .folder: throw FileStoreError.isDirectory(path: path.string)
        case .symbolicLink, .other: throw FileStoreError.link(path: path.string)
        case .file where !overwrite: throw FileStoreError.fileAlreadyExists(path: path.string)
        case .file: break
        }
    }
}
