import FileSystem

extension IndexLock {
    /// The other indexes in the folder, which is not listed again as long as this is the only one.
    ///
    /// The process that makes a lock file marks the others before it uses the index (``IndexFolder/markOtherLockFiles()``).
    /// An index that was copied into the folder is seen when its lock file is made, or when another process lists the folder.
    var others: OtherIndexes {
        get throws {
            let store = folder.store
            let isUnmarked = try !mayBeMarked
            if isUnmarked, store.onlyLockFile == identity { return OtherIndexes() }
            let found = try folder.otherIndexes
            store.onlyLockFile = isUnmarked && found.isEmpty ? identity : nil
            return found
        }
    }

    /// Whether another process has marked the lock file, or may have been unable to do that.
    private var mayBeMarked: Bool {
        get throws {
            let status = try fileStatus
            return status.size >= LockFile.markedSize || status.linkCount > 1
                || folderStatus.isWritableByOthers
        }
    }
}

extension FileStatus {
    /// Whether the permission bits let others than the owner write.
    fileprivate var isWritableByOthers: Bool { mode & 0o022 != 0 }
}

extension IndexFolder {
    /// Marks the other lock files in the folder, before the first use of the one that was made here.
    ///
    /// One that was not used yet is left alone: its process lists the folder before it uses it. Files of other programs,
    /// which can have such names, are left alone too.
    func markOtherLockFiles() throws {
        let isWritableByOthers = try fileSystem.status(of: handle).isWritableByOthers
        for other in try otherIndexes.names {
            let isUsed = try fileSystem.unlessRefused {
                try LockFile.isWritten(other.lock, in: handle, on: fileSystem)
            }
            guard isUsed == true else { continue }
            do {
                let file = try fileSystem.openFile(other.lock, in: handle, for: .update)
                if try fileSystem.status(of: file).size >= LockFile.markedSize { continue }
                try checkThatLockFileHasOneName(file)
                try fileSystem.write([UInt8(ascii: "\n")], to: file, at: LockFile.markedSize - 1)
            } catch {
                // In a folder of several users, processes list each time.
                if !isWritableByOthers { throw error }
            }
        }
    }
}
