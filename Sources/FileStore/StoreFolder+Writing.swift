import FileSystem
import Foundation

extension StoreFolder {
    /// Makes `data` the file at `path`.
    func save(_ data: Data, to path: StorePath, overwrite: Bool) throws {
        try write(to: path, overwrite: overwrite) { file in
            try data.withUnsafeBytes { try fileSystem.write($0, to: file, at: 0) }
        }
    }

    /// Makes a copy of `source` the file at `path`.
    func copy(
        _ source: StoreSource, to path: StorePath, overwrite: Bool, _ cancellation: Cancellation
    ) throws {
        try write(to: path, overwrite: overwrite) { file in
            try source.copy(to: file, in: self, cancellation)
        }
    }

    /// Makes `source` itself the file at `path`, or a copy of it where that cannot be.
    func move(
        _ source: StoreSource, to path: StorePath, overwrite: Bool, _ cancellation: Cancellation
    ) throws {
        if try rename(source, to: path, overwrite: overwrite) { return }
        try copy(source, to: path, overwrite: overwrite, cancellation)
        try source.remove()
    }

    /// Makes the folder at `path`.
    func makeFolder(_ path: StorePath) throws {
        try retrying { _ = try openFolder(path, making: true) }
    }
}

extension StoreFolder {
    /// Puts a new file at `path`, whose bytes come from `fill`.
    ///
    /// The order is what makes it atomic and durable: fill and sync a file under a name of our
    /// own, rename it, sync the folder.
    private func write(
        to path: StorePath, overwrite: Bool, _ fill: (Handle) throws -> Void
    ) throws {
        try retrying {
            let folder = try openFolder(holding: path, making: true)
            try checkTarget(path, in: folder, overwrite: overwrite)
            let name = try TemporaryName.random()
            let file = try fileSystem.openFile(
                name, in: folder, for: .create(mode: Self.fileMode))
            do {
                try fileSystem.protect(file, mode: Self.fileMode, as: protection)
                try fill(file)
                try fileSystem.sync(file)
                try fileSystem.rename(
                    name, in: folder, to: path.name, in: folder, replacing: overwrite)
            } catch {
                // Best effort: the name is ours, is never listed, and is swept.
                try? fileSystem.removeFile(name, in: folder)
                throw error
            }
            try fileSystem.sync(folder)
        }
    }

    /// Renames `source` to `path`, or returns false where only a copy can come into the store.
    ///
    /// That is so on another volume, with a file of another user, and with one that has a second
    /// name, under which it could still be changed.
    private func rename(_ source: StoreSource, to path: StorePath, overwrite: Bool) throws -> Bool {
        guard source.isOnStoreFileSystem, source.file.status.linkCount <= 1 else { return false }
        do {
            try retrying {
                let folder = try openFolder(holding: path, making: true)
                try checkTarget(path, in: folder, overwrite: overwrite)
                try fileSystem.protect(source.file.handle, mode: Self.fileMode, as: protection)
                try fileSystem.sync(source.file.handle)
                guard try source.file.hasItsName() else {
                    throw FileStoreError.fileNotFound(path: source.path)
                }
                try fileSystem.rename(
                    source.file.name, in: source.file.folder, to: path.name, in: folder,
                    replacing: overwrite)
                try fileSystem.sync(folder)
                try fileSystem.sync(source.file.folder)
            }
            return true
        } catch let error as FileSystemError
            where error.code == .crossDevice || error.code == .notPermitted
        {
            return false
        }
    }

    /// Refuses to write over a link, and early what the rename would refuse in the end.
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
