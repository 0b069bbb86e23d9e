import FileSystem
public import Foundation

extension WritablePlace {
    /// Deletes what the folder holds, as far as it is old; the folder itself stays.
    ///
    /// A file goes if it was last modified before `date`, a folder if that is true of it and
    /// nothing is left in it. Symbolic links are deleted, never followed, and folders of other
    /// volumes are left alone; so nothing outside this folder is touched. The mark of
    /// ``excludeFromBackup()`` stays. A folder that does not exist holds nothing.
    ///
    ///     try AppFolder.tmp.Exports.purge(olderThan: .now.addingTimeInterval(-86_400))
    ///
    /// - Parameter date: What was modified at this date or later stays; by default nothing does.
    /// - Throws: ``AppFolderError``; its code is `notPurgeable` outside `tmp` and
    ///   `Library/Caches`, `shared` for a folder that is not the app's own, `inTheWay` if this
    ///   folder is itself a symbolic link or a file, `system` if something could not be
    ///   deleted, which does not keep the rest from being; and those of ``create()`` for names.
    public func purge(olderThan date: Date = .distantFuture) throws {
        try location.check("purge")
        guard isPurgeable else {
            throw AppFolderError(
                .notPurgeable, at: url,
                "Cannot purge \(self): its files may not be made again; "
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
