public import Foundation

extension Directory {
    /// Writes a copy of the collection, with all that its items own, as of one moment, into one file.
    ///
    /// The file is a zip archive without compression, which every system can unpack into the folder that
    /// `copy(to:)` would have made; indexes are at its beginning. For example:
    ///
    ///     try projects.archive(to: folder.appending(path: "Projects.zip"))
    ///
    /// `restore(from:)` and `merge(from:)` take it as they take a folder.
    ///
    /// Others may change the collection meanwhile, as while it is copied. A file that another program writes to in place
    /// can be in the archive as it is half-way. Symbolic links are left out.
    ///
    /// When this method returns, the file is on stable storage. If it throws, or the process dies first, there is nothing
    /// at `file`, or already the whole archive if the process died at the end. A process that dies leaves a hidden
    /// folder beside it, which the next copy or archive there removes, and a hidden folder in the collection, which
    /// recovery removes. It needs space for the archive alone. On volumes that cannot make clones, the next
    /// `copy(to:)` onto an earlier copy copies all files anew.
    ///
    /// - Parameters:
    ///   - file: The URL of the archive, where nothing may be. Missing folders above it are made.
    ///   - progress: Counts the bytes, and can cancel the archive.
    /// - Throws: ``DirectoryError`` with `nameTaken` if there is something at `file`, `invalidLocation` if it is inside
    ///   what is copied, `invalidName` if a name is not UTF-8 or a path is too long, `accessDenied` if the
    ///   folder of the collection cannot be written to, `cancelled`, `noSpace`, `ioFailure`; `locked` if others change the collection all the time; and what `load()`
    ///   throws.
    public func archive(to file: URL, progress: Progress? = nil) throws {
        try core.refuseInsideAnyWrite("archive")
        core.commitEdits()
        try core.load()
        try core.describing("archive") { try core.archive(to: file, progress) }
    }

    /// Writes a copy of the collection, with all that its items own, as of one moment, into one file.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Throws: What the synchronous `archive(to:progress:)` throws.
    public func archive(to file: URL, progress: Progress? = nil) async throws {
        try await cancelling(progress) { progress in
            try await perform(behindCommits: true) { try $0.archive(to: file, progress: progress) }
        }
    }
}
