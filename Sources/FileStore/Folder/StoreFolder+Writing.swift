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

    /// Makes `source` itself the file at `path`, or a copy of it if it cannot be renamed.
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
    /// Makes a new file at `path`, whose bytes `fill` writes.
    ///
    /// The order of the steps makes it atomic and durable: write and sync a file with a temporary
    /// name, rename it, sync the folder.
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
                // Best effort: a file with a temporary name is never listed, and is swept later.
                try? fileSystem.removeFile(name, in: folder)
                throw error
            }
            try fileSystem.sync(folder)
        }
    }

    /// Renames `source` to `path`, or returns false if it must be copied instead.
    ///
    /// A file on another volume or of another user cannot be renamed. A file with several names
    /// must not be, because it could still be changed under another name.
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

    /// Checks that the file at `path` may be replaced.
    ///
    /// Only the check for links is needed; the rename makes the others again, but later.
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
