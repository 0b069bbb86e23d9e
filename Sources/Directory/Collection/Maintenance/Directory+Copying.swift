import FileSystem
public import Foundation

extension Directory {
    /// Copies the collection with all that its items own, as of one moment, while others may change
    /// it.
    ///
    /// The copy is a folder with the index, the assets, and the folders of the items with everything
    /// in them that is visible, child collections at any depth included. It can be opened as a
    /// collection, and moved, and it needs nothing of the original. What is in the folder of this
    /// collection besides, such as other collections, is not copied. For example:
    ///
    ///     try projects.copy(to: backups.appending(path: "2026-11-22"))
    ///
    /// If an element cannot be decoded, nobody knows here which folder it owns. Then all visible folders
    /// beside the index are copied, except those of other indexes' assets.
    ///
    /// Every change that had returned before the call is in the copy. Of the changes that others make
    /// meanwhile, at all depths, the copy has all up to one moment, and none after it. They wait at
    /// most milliseconds.
    ///
    /// If an earlier copy of this collection is at `folder`, the new one takes its place. Files that did not change
    /// since, by their size and the time of their last write, are not copied again, so a copy each night
    /// takes as long as what has changed. An earlier copy in which anybody added, removed or wrote to a file stays,
    /// and the call throws. So does one whose original was another folder: that is also so after the collection
    /// was restored from a copy, or moved to another volume.
    ///
    /// When this method returns, the copy is on stable storage. If it throws, or the process dies
    /// first, there is at `folder` what was there before, or already the whole new copy if the process died at the
    /// end. A process that dies leaves a hidden folder beside it, which
    /// the next copy to that place removes. On volumes that cannot exchange two names, such as network drives, the
    /// earlier copy gets the addition “(earlier copy)” to its name for a moment, which stays if the process dies
    /// then.
    ///
    /// The copy has files of its own: clones if the volume can make them, as APFS, Btrfs and XFS can, else
    /// copies of the bytes. What others write into one of the two is not in the other. Symbolic links are
    /// left out.
    ///
    /// - Parameters:
    ///   - folder: The URL of the copy, where nothing may be but an earlier copy of this collection or an empty
    ///     folder. Missing folders above it are made.
    ///   - progress: Counts the bytes, and can cancel the copy.
    /// - Throws: ``DirectoryError`` with `nameTaken` if there is something else at `folder`, or an earlier copy
    ///   that was changed; `invalidLocation` if it is inside what is copied, `cancelled`, `noSpace`, `accessDenied`,
    ///   `containerRemoved`, `ioFailure`; `locked` if others lock a collection, or change more and more
    ///   of them, until the timeout, or if others use the earlier copy; and what `load()` throws.
    public func copy(to folder: URL, progress: Progress? = nil) throws {
        try core.refuseInsideAnyWrite("copy")
        core.commitEdits()
        try core.load()
        try core.describing("copy") { try core.copy(to: folder, progress) }
    }

    /// Copies the collection with all that its items own, as of one moment, while others may change
    /// it.
    ///
    /// Cancelling the task cancels the copy.
    ///
    /// - Throws: What the synchronous ``copy(to:progress:)`` throws.
    public func copy(to folder: URL, progress: Progress? = nil) async throws {
        try await cancelling(progress) { progress in
            try await perform(behindCommits: true) { try $0.copy(to: folder, progress: progress) }
        }
    }
}
