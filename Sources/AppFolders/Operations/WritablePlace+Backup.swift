import Foundation

extension WritablePlace {
    /// Marks the folder, so that backups leave out its contents.
    ///
    /// On Apple platforms, this sets the resource value `isExcludedFromBackup`. On other systems
    /// it writes the file `CACHEDIR.TAG` of the Cache Directory Tagging Specification, which
    /// backup tools such as restic, Borg and `tar --exclude-caches` obey. The folder keeps the
    /// mark, also when it is purged, but a crash of the system can undo a new mark. Marking a
    /// folder again changes nothing.
    ///
    ///     try AppFolder.Library.Application_Support.Models.create().excludeFromBackup()
    ///
    /// - Throws: ``AppFolderError``; its code is `shared` if the folder is not the app's own,
    ///   `notFound` if it does not exist, `inTheWay` if it has a file `CACHEDIR.TAG` that is not
    ///   such a tag, `system` if the system refuses, `invalidName` or `reservedName` if the class of
    ///   a folder declares such a name.
    public func excludeFromBackup() throws {
        try location.check("exclude from backup")
        try location.checkNotShared("exclude from backup")
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: description, isDirectory: &isFolder),
            isFolder.boolValue
        else {
            throw AppFolderError(
                .notFound, at: url,
                "Cannot exclude \(self) from backup: the folder does not exist; create it first.")
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
