public import Foundation

extension Directory {
    /// Makes the collection, with all that its items own, what a copy of it was.
    ///
    /// `copy(to:)` has made the copy, or it is the folder of another collection with the same index. For example:
    ///
    ///     try projects.restore(from: backups.appending(path: "2026-11-22"))
    ///
    /// Behaviour:
    /// - It is one commit: items, folders and files are those of the copy when it returns, and as before if it throws
    ///   or if the process dies first. Other processes may use the collection meanwhile, and see one change.
    /// - The copy is copied into the collection's folder first, and checked there. If something of it is damaged or
    ///   missing, nothing changes. In containers, files and folders are missed that the copy had when `copy(to:)` made
    ///   it, unless the collection that they belong to was changed in the copy since. In a folder that `copy(to:)` has not
    ///   made, collections in containers are checked as far as `verify(below:)` can without their types: not which files
    ///   their items need. The copy itself stays as it is.
    /// - Folders and files that are the same stay in place, so that open collections in them stay usable. Collections
    ///   in a folder that is replaced throw `containerRemoved`: get them from this collection again.
    /// - What is replaced or removed can be brought back if ``DirectoryOptions/keepsRemoved`` says so, and is gone
    ///   otherwise; `undo()` cannot take a restoring back.
    /// - What is in the folder of the collection besides stays.
    ///
    /// - Parameters:
    ///   - copy: The folder of the copy.
    ///   - progress: Counts the bytes that are copied, and can cancel that.
    /// - Throws: ``DirectoryError`` with `damagedCopy` if there is no copy of this index or something of it is damaged,
    ///   `nameTaken` if something that no item owns has a name that is needed, `undecodable` if this collection has
    ///   elements that cannot be decoded, `cancelled`, `noSpace`; and what `write(_:)` throws.
    public func restore(from copy: URL, progress: Progress? = nil) throws {
        try core.refuseInsideAnyWrite("restore")
        core.commitEdits()
        try core.load()
        try core.describing("restore") { try core.restore(from: copy, progress) }
    }

    /// Makes the collection, with all that its items own, what a copy of it was.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Throws: What the synchronous `restore(from:progress:)` throws.
    public func restore(from copy: URL, progress: Progress? = nil) async throws {
        try await cancelling(progress) { progress in
            try await perform { try $0.restore(from: copy, progress: progress) }
        }
    }
}
