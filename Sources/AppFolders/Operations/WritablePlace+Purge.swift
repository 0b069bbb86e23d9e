import FileSystem
public import Foundation

extension WritablePlace {
    /// Deletes the old contents of the folder, but not the folder itself.
    ///
    /// A file is deleted if it was last modified before `date`. A folder is deleted if it was last
    /// modified before `date` and has become empty. Symbolic links are deleted, never followed,
    /// and folders on other volumes are left alone, so nothing outside this folder is deleted.
    /// The mark of ``excludeFromBackup()`` stays. If the folder does not exist, nothing happens.
    ///
    ///     try AppFolder.tmp.Exports.purge(olderThan: .now.addingTimeInterval(-86_400))
    ///
    /// - Parameter date: Files that were modified at this date or later stay; by default all are
    ///   deleted.
    /// - Throws: ``AppFolderError``; its code is `notPurgeable` outside `tmp` and
    ///   `Library/Caches`, `shared` if the folder is not the app's own, `inTheWay` if it is a
    ///   symbolic link or a file, `system` if a file could not be deleted, after all others were
    ///   deleted, `invalidName` or `reservedName` if the class of a folder declares such a name.
    public func purge(olderThan date: Date = .distantFuture) throws {
        try location.check("purge")
        guard isPurgeable else {
            throw AppFolderError(
                .notPurgeable, at: url,
                "Cannot purge \(self): it can hold files that nobody can make again; "
                    + "purge only folders in Library/Caches and tmp.")
        }
        try location.checkNotShared("purge")
        do {
            guard let folder = try location.openFolder() else { return }
            let volume = try LocalFileSystem().status(of: folder).identity.device
            var sweep = Sweep(before: date, on: volume)
            _ = try sweep.empty(folder)
            if let failure = sweep.failure { throw failure }
        } catch let error as FileSystemError {
            throw AppFolderError(error)
        }
    }
}
