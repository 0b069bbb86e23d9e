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
    /// When this method returns, the copy is on stable storage. If it throws, or the process dies
    /// first, there is nothing at `folder`. A process that dies leaves a hidden folder beside it, which
    /// the next copy to that place removes.
    ///
    /// The copy has files of its own: clones if the volume can make them, as APFS, Btrfs and XFS can, else
    /// copies of the bytes. What others write into one of the two is not in the other. Symbolic links are
    /// left out.
    ///
    /// - Parameters:
    ///   - folder: The URL of the copy, which must not exist. Missing folders above it are made.
    ///   - progress: Counts the bytes, and can cancel the copy.
    /// - Throws: ``DirectoryError`` with `nameTaken` if there is something at `folder`,
    ///   `invalidLocation` if it is inside what is copied, `cancelled`, `noSpace`, `accessDenied`,
    ///   `containerRemoved`, `ioFailure`; `locked` if others lock a collection, or change more and more
    ///   of them, until the timeout; and what `load()` throws.
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
