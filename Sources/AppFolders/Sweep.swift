import FileSystem
import Foundation

/// Removes the old contents of a folder, on one volume, and goes on after failures.
///
/// It goes from handle to handle, so a folder that is swapped for a symbolic link meanwhile leads
/// nowhere.
struct Sweep {
    let date: Date
    /// The number of the volume's device.
    let volume: UInt64
    /// The first failure.
    private(set) var failure: (any Error)?
    private let fileSystem = LocalFileSystem()

    /// - Parameters:
    ///   - date: Files and folders that were modified before this date are removed.
    ///   - volume: The number of the device that has the folder.
    init(before date: Date, on volume: UInt64) {
        self.date = date
        self.volume = volume
    }

    /// Removes what is old in `folder`, and returns whether nothing but a backup tag is left.
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

    /// Removes `name` if it is old, and returns whether nothing has the name then.
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

    /// Removes a folder, and returns false if a file came into it meanwhile.
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

extension Location {
    /// Opens the folder; nil if it does not exist.
    ///
    /// Symbolic links are followed to the system's place, which a user may have moved to another
    /// volume, and not from there on.
    func openFolder() throws -> Handle? {
        let fileSystem = LocalFileSystem()
        return try fileSystem.unlessMissing {
            try names.reduce(fileSystem.openFolder(at: root.url(of: place).filePath)) {
                try fileSystem.openFolder(FileName(validating: $1.component), in: $0)
            }
        }
    }
}
