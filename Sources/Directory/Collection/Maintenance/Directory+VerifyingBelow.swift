package import FileSystem
public import Foundation

/// The type of the items is not needed at the call: `Directory.verify(below: folder)`.
extension Directory where Item == Never {
    /// Looks at all collections in a folder and below it, at any depth, whatever the types of their items
    /// are, and changes nothing.
    ///
    /// For example, before a store is moved to another machine:
    ///
    ///     for finding in try Directory.verify(below: folder) { print(finding) }
    ///
    /// It finds all that can be seen without a type: damaged indexes and journals, elements with the same
    /// `id`, changes that are not finished, temporary files, stages with their sizes, what sync engines made,
    /// and links and folders in the places of files. It does not tell which item owns which file;
    /// `verify()` of a collection does that.
    ///
    /// Behaviour:
    /// - A file `name.json` is an index if its lock file, its journal or an unfinished change of it is in the
    ///   folder. Without these it is an index only if it is a JSON array of objects, so an app's own
    ///   JSON files are no findings. In a copy, which has no lock files, a damaged index without a journal
    ///   cannot be told from such a file. An array in the folder `name` beside an index `name.json` may be an
    ///   asset, and is no index either.
    /// - Hidden folders, folders whose name ends in `.recovered`, and symbolic links are left out.
    /// - A file that belongs to no collection is a finding only if it is in the folder of an item, beside an
    ///   index. A folder is that of an item if an index beside it has an element whose `folderName` or `id`
    ///   is the name of the folder. No folder is a finding because no item owns it.
    /// - Links, and what is neither a file nor a folder, are findings in each assets folder. If an element of
    ///   the index has a member `fileName`, folders and hidden files are findings there too.
    /// - An element that is not an object is a finding only if others are objects. Two ids are equal if
    ///   their bytes are.
    /// - No lock is taken, and nothing is written or recovered. What a process left that has ended is a
    ///   finding, although the next process that opens the collection would end it.
    /// - Others can change the collections meanwhile: what changes is read again. A folder that others
    ///   move meanwhile may be left out.
    /// - In a ``MemoryVolume``, it looks at the collections in memory.
    ///
    /// - Parameter folder: The absolute file URL of a folder.
    /// - Returns: The findings, by path; none if all is well.
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the URL is not that of a folder; `ioFailure` if
    ///   there is no folder; `accessDenied` if a folder or a file cannot be opened; `locked` if an index
    ///   changes all the time, until the default lock timeout.
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
                    remedy: "Check the path.", people: .init(reason: "the folder is missing"))
            }
            let store = TreeStore(fileSystem: fileSystem, options: .init())
            var verification = TreeVerification(of: root, in: store) {
                guard progress?.isCancelled == true else { return }
                throw DirectoryError(.cancelled, "verify", folder, "the task was cancelled")
            }
            do {
                return try verification.run()
            } catch let busy as Busy {
                throw busy.error
            }
        }
    }
}
