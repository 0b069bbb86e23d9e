import Foundation

extension WritablePlace {
    /// Marks the folder, so that backups leave out what it holds.
    ///
    /// On Apple platforms, this sets the resource value `isExcludedFromBackup`. Elsewhere it
    /// writes the file `CACHEDIR.TAG` of the Cache Directory Tagging Specification, which backup
    /// tools obey, such as restic, Borg and `tar --exclude-caches`. The mark stays as long as the
    /// folder, though a crash of the system may undo a new one. Marking twice changes nothing,
    /// and ``purge(olderThan:)`` keeps the mark.
    ///
    ///     try AppFolder.Library.Application_Support.Models.create().excludeFromBackup()
    ///
    /// - Throws: ``AppFolderError``; its code is `shared` for a folder that is not the app's own,
    ///   `notFound` before ``create()``, `inTheWay` if a file `CACHEDIR.TAG` is there that is no
    ///   such tag, `system` if the system refuses; and those of ``create()`` for names.
    public func excludeFromBackup() throws {
        try location.check("exclude from backup")
        try location.checkNotShared("exclude from backup")
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: description, isDirectory: &isFolder),
            isFolder.boolValue
        else {
            throw AppFolderError(
                .notFound, at: url,
                "Cannot exclude \(self) from backup: there is no such folder; create it first.")
        }
        do {
            #if canImport(Darwin)
                var folder = url
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try folder.setResourceValues(values)
            #else
                try CacheTag.write(in: url)
            #endif
        } catch let error as AppFolderError {
            throw error
        } catch {
            throw AppFolderError(refused: "exclude from backup", at: url, error)
        }
    }
}
