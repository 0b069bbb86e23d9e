import FileSystem
public import Foundation

extension Directory {
    /// Copies the collection with everything that its items own, as of one moment, while others may change it.
    ///
    /// The copy is a folder with the index, the assets, and the folders of the items with all visible files and
    /// folders in them, including child collections at any depth. It can be opened as a collection, and moved, and it
    /// needs nothing of the original. Other files and collections in the folder of this collection are not copied. For
    /// example:
    ///
    ///     try projects.copy(to: backups.appending(path: "2026-11-22"))
    ///
    /// If an element cannot be decoded, the folder that it owns is unknown. Then all visible folders beside the index
    /// are copied, except the assets folders of other indexes.
    ///
    /// The copy has every change that had returned before the call. Of the changes that others make meanwhile, at all
    /// depths, it has all up to one moment, and none after it. Those changes wait for milliseconds at most.
    ///
    /// If an earlier copy of this collection is at `folder`, the new one replaces it. Files whose size and time of the
    /// last write are the same are not copied again, so the time of a nightly copy depends on the amount of changed
    /// files. If anybody added, removed or wrote to a file in the earlier copy, that copy stays, and the call throws.
    /// The call also throws if the earlier copy is of another folder, for example because the collection was restored
    /// from a copy or moved to another volume. A copy of a collection that had no folder yet has no items, and is
    /// replaced by that of any collection with the same index name.
    ///
    /// When this method returns, the copy is on stable storage. If it throws, `folder` is as before. If the process
    /// dies first, `folder` is as before, or has the whole new copy. A process that dies leaves a hidden folder beside
    /// it, which the next copy to that place removes. Volumes such as network drives cannot exchange two names: there
    /// the name of the earlier copy ends in “(earlier copy)” for a moment, and keeps that end if the process dies
    /// then.
    ///
    /// The copy has files of its own: clones if the volume can make them, as APFS, Btrfs and XFS can, otherwise copies
    /// of the bytes. A later write to one of the two does not change the other. Symbolic links are left out.
    ///
    /// - Parameters:
    ///   - folder: The URL of the copy. Nothing may exist there, except an earlier copy of this collection or an empty
    ///     folder. Missing folders above it are made.
    ///   - progress: Counts the bytes, and can cancel the copy.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `nameTaken` if something else, or an earlier copy that
    ///   was changed, exists at `folder`, `invalidLocation` if `folder` is inside a copied folder, `locked` if others
    ///   lock or keep changing the collections until the timeout, or use the earlier copy, `noSpace`, and the [codes of
    ///   every load](doc:Errors#Codes-of-every-load).
    public func copy(to folder: URL, progress: Progress? = nil) throws {
        try core.refuseInsideAnyWrite("copy")
        core.commitEdits()
        try core.load()
        try core.describing("copy") { try core.copy(to: folder, progress) }
    }

    /// Copies the collection with everything that its items own, as of one moment, while others may
    /// change it.
    ///
    /// Cancelling the task cancels the copy.
    ///
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `nameTaken`, `invalidLocation`, `noSpace` and the
    ///   [codes of every load](doc:Errors#Codes-of-every-load).
    public func copy(to folder: URL, progress: Progress? = nil) async throws {
        try await cancelling(progress) { progress in
            try await perform(behindCommits: true) { try $0.copy(to: folder, progress: progress) }
        }
    }
}
