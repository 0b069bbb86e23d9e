package import FileSystem
public import Foundation

/// The call needs no type of items: `Directory.verify(below: folder)`.
extension Directory where Item == Never {
    /// Checks all collections in a folder and below it, at any depth, without the types of their items, and changes
    /// nothing.
    ///
    /// For example, before a store is moved to another machine:
    ///
    ///     for finding in try Directory.verify(below: folder) { print(finding) }
    ///
    /// It finds every fault that is visible without a type: damaged indexes and journals, elements with the same `id`,
    /// unfinished changes, temporary files, stages with their sizes, conflict copies of sync engines, and links and
    /// folders in the places of files. It does not know which item owns which file; `verify()` of a collection does.
    ///
    /// Behaviour:
    /// - A file `name.json` is an index if its lock file, its journal or an unfinished change of it is in the folder.
    ///   Without these it is an index only if it is a JSON array of objects, so an app's own JSON files are no
    ///   findings. In a copy, which has no lock files, a damaged index without a journal looks like such a file, and
    ///   is no finding. An array in the folder `name` beside an index `name.json` may be an asset, and is no index
    ///   either.
    /// - Hidden folders, folders whose name ends in `.recovered`, and symbolic links are left out.
    /// - A file that belongs to no collection is a finding only if it is in the folder of an item, beside an index. A
    ///   folder is that of an item if an index beside it has an element whose `folderName` or `id` is the name of the
    ///   folder. A folder without an owner is a finding only if this user may not open it, as `lost+found` at the root of
    ///   a volume.
    /// - Everything except files and folders, such as a link, is a finding in each assets folder. If an element of the
    ///   index has a member `fileName`, folders and hidden files are findings there too.
    /// - An element that is not an object is a finding only if others are objects. Two ids are equal if their bytes
    ///   are.
    /// - Nothing is written or recovered, and a lock is at most shared, for as long as an index is read. So files that a
    ///   dead process left are findings, although the next process that opens the collection removes them or completes
    ///   their change.
    /// - Others can change the collections meanwhile: changed files are read again. A folder that others move
    ///   meanwhile may be left out.
    /// - In a ``MemoryVolume``, it checks the collections in memory.
    ///
    /// - Parameter folder: The absolute file URL of a folder.
    /// - Returns: The findings, by path; empty if all collections are intact.
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the URL is not that of a folder, `ioFailure` if there is
    ///   no folder, `accessDenied` if a file, or the folder of an item or of assets, cannot be opened, `locked` if an
    ///   index changes all the time until the default lock timeout.
    public static func verify(below folder: URL) throws -> [Finding] {
        try verify(below: folder, nil)
    }

    static func verify(below folder: URL, _ progress: Progress?) throws -> [Finding] {
        let place = Place(of: folder)
        return try verify(below: place.folder, on: place.fileSystem, progress)
    }

    package static func verify(
        below folder: URL, on fileSystem: any FileSystem, _ progress: Progress? = nil
    ) throws -> [Finding] {
        let location = try PathLocation(
            folder, on: fileSystem, options: .init(), isContainer: false)
        return try DirectoryError.describing("verify", folder) {
            guard let root = try location.open(making: false) else {
                throw DirectoryError(
                    .ioFailure, "verify", folder, "there is no such folder",
                    remedy: "Check the path.",
                    people: .init(
                        reason: "the folder is missing",
                        remedy: DirectoryError.Code.sourceMissing.advice))
            }
            let store = TreeStore(fileSystem: fileSystem, options: .init())
            var verification = TreeVerification(of: root, in: store) {
                if progress?.isCancelled == true { throw CancellationError() }
            }
            return try verification.run()
        }
    }
}
