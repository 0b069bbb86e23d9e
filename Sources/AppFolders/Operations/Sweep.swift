import FileSystem
import Foundation

/// Removes the old contents of a folder on one volume, and continues after failures.
///
/// Every folder is opened in the handle of its parent, so no symbolic link is followed, even if
/// another process puts one in place of a folder meanwhile.
struct Sweep {
    /// Files and folders that were modified before this date are removed.
    let date: Date
    /// The device number of the volume.
    let volume: UInt64
    /// The first failure.
    private(set) var failure: (any Error)?
    private let fileSystem = LocalFileSystem()

    init(before date: Date, on volume: UInt64) {
        self.date = date
        self.volume = volume
    }

    /// Removes the old contents of `folder`, and returns whether nothing but a cache tag is left.
    mutating func empty(_ folder: Handle) throws -> Bool {
        var isEmpty = true
        for name in try fileSystem.list(folder) where name != CacheTag.fileName {
            do {
                isEmpty = try remove(name, in: folder) && isEmpty
            } catch {
                failure = failure ?? error
                isEmpty = false
            }
        }
        return isEmpty
    }

    /// Removes `name` if it is old, and returns whether the name is free.
    private mutating func remove(_ name: FileName, in folder: Handle) throws -> Bool {
        guard let status = try fileSystem.status(of: name, in: folder) else { return true }
        guard status.kind == .folder else {
            guard status.modificationDate < date else { return false }
            try removeFile(name, in: folder)
            return true
        }
        guard let child = try fileSystem.openFolderIfPresent(name, in: folder) else { return true }
        guard try fileSystem.status(of: child).identity.device == volume else { return false }
        guard try empty(child), status.modificationDate < date else { return false }
        try removeFile(CacheTag.fileName, in: child)
        return try removeFolder(name, in: folder)
    }

    private func removeFile(_ name: FileName, in folder: Handle) throws {
        _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: folder) }
    }

    /// Removes a folder, and returns false if another process put a file into it meanwhile.
    private func removeFolder(_ name: FileName, in folder: Handle) throws -> Bool {
        do {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFolder(name, in: folder) }
            return true
        } catch let error as FileSystemError
            where [.directoryNotEmpty, .fileExists].contains(error.code)
        {
            return false
        }
    }
}
