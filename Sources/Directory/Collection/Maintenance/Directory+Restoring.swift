public import Foundation

extension Directory {
    /// Replaces the contents of the collection, with everything that its items own, by a copy.
    ///
    /// The copy was made by `copy(to:)`, or is the folder of another collection with the same index name. For example:
    ///
    ///     try projects.restore(from: backups.appending(path: "2026-11-22"))
    ///
    /// Behaviour:
    /// - It is one commit: when it returns, items, folders and files are those of the copy; if it throws or the
    ///   process dies first, they are as before. Other processes may use the collection meanwhile, and see one change.
    /// - The copy is first copied into the collection's folder, and checked there. If a part of it is damaged or
    ///   missing, nothing changes. The copy itself stays as it is.
    /// - In the containers of a copy that `copy(to:)` made, every file and folder of that time must exist, except in
    ///   collections that were changed in the copy since. In any other folder, collections in containers are checked
    ///   as `verify(below:)` checks them, without their types: missing files of their items are not noticed. Other bytes
    ///   in a file of the same size are noticed only in an archive, which has checksums.
    /// - Folders and files that are the same stay in place, so that open collections in them stay usable. Collections
    ///   in a folder that is replaced throw `containerRemoved`: open them again from this collection.
    /// - Replaced and removed items can be brought back if ``DirectoryOptions/keepsRemoved`` is set; otherwise they
    ///   are deleted. `undo()` cannot undo this call.
    /// - Other files in the folder of the collection stay.
    /// - Files and folders in the copy that are no part of it are not used, and returned, for example hidden files of
    ///   other programs, such as `.DS_Store`, symbolic links, and folders beside the index that no item owns, such as
    ///   `__MACOSX`. If such a name has a backslash, the copy is damaged: a program has made one name of a path. In an
    ///   archive, no name may have one.
    ///
    /// - Parameters:
    ///   - copy: The folder of the copy, or an archive.
    ///   - progress: Counts the bytes that are copied, and can cancel the copying.
    /// - Returns: The files and folders of the copy that were not used, by path; of a folder of which nothing was used,
    ///   the folder alone.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `damagedCopy` if there is no copy of this index or a
    ///   part of it is damaged, `nameTaken` if a file or folder that no item owns has a needed name, `undecodable` if
    ///   this collection has elements that cannot be decoded, `invalidLocation` if the copy is in the folder of an item,
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func restore(from copy: URL, progress: Progress? = nil) throws -> [Finding] {
        try core.refuseInsideAnyWrite("restore")
        core.commitEdits()
        try core.load()
        return try core.describing("restore") { try core.restore(from: copy, progress) }
    }

    /// Replaces the contents of the collection, with everything that its items own, by a copy.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Returns: The files and folders of the copy that were not used, by path.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `damagedCopy`, `nameTaken`, `undecodable`, and the
    ///   [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func restore(from copy: URL, progress: Progress? = nil) async throws -> [Finding] {
        try await cancelling(progress) { progress in
            try await perform { try $0.restore(from: copy, progress: progress) }
        }
    }
}
