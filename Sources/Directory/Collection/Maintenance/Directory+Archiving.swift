public import Foundation

extension Directory {
    /// Writes a copy of the collection, with everything that its items own, as of one moment, into one zip file.
    ///
    /// The archive is not compressed. Every system can unpack it into the folder that `copy(to:)` would have made;
    /// indexes are at its beginning. For example:
    ///
    ///     try projects.archive(to: folder.appending(path: "Projects.zip"))
    ///
    /// `restore(from:)` and `merge(from:)` accept the file as they accept a folder.
    ///
    /// Others may change the collection meanwhile, as during a copy. If another program is writing to a file in place,
    /// the archive can have that file half written. Symbolic links are left out.
    ///
    /// When this method returns, the file is on stable storage. If it throws, `file` is as before. If the process dies
    /// first, `file` is missing or is the whole archive. A process that dies leaves a hidden folder beside the file,
    /// which the next copy or archive there removes, and a hidden folder in the collection, which recovery removes.
    /// The call needs space for the archive alone. On volumes that cannot make clones, the next `copy(to:)` onto an
    /// earlier copy copies all files anew.
    ///
    /// - Parameters:
    ///   - file: The URL of the archive; nothing may exist there. Missing folders above it are made.
    ///   - progress: Counts the bytes, and can cancel the archive.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `nameTaken` if something exists at `file`,
    ///   `invalidLocation` if it is inside a copied folder, `invalidName` if a name is not UTF-8 or has a backslash, or a
    ///   path is too long, `accessDenied` if the folder of the collection cannot be written to, `locked` if others change
    ///   the collection all the time, `noSpace`, and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func archive(to file: URL, progress: Progress? = nil) throws {
        try core.refuseInsideAnyWrite("archive")
        core.commitEdits()
        try core.load()
        try core.describing("archive") { try core.archive(to: file, progress) }
    }

    /// Writes a copy of the collection, with everything that its items own, as of one moment, into
    /// one zip file.
    ///
    /// Cancelling the task cancels the archive.
    ///
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `nameTaken`, `invalidLocation`, `invalidName`,
    ///   `noSpace` and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func archive(to file: URL, progress: Progress? = nil) async throws {
        try await cancelling(progress) { progress in
            try await perform(behindCommits: true) { try $0.archive(to: file, progress: progress) }
        }
    }
}
