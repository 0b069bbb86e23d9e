import FileSystem
import Foundation

/// One index on disk, as bytes: its lock, its reading and its replacement.
///
/// This is the one place that knows how a committed state is kept: small indexes are rewritten at
/// each commit, to large ones a journal is added. Every call is about an open folder, which the
/// caller chose.
struct IndexStore: Sendable {
    let fileSystem: any FileSystem
    let names: IndexNames
    let options: DirectoryOptions
    /// The journal, as long as it stays open; copies of the store share it.
    var keeper = JournalKeeper()
}

/// What is known of an index on disk, so that it need not be read again.
struct IndexState: Sendable {
    /// What was read; nil where nobody knows what is on disk.
    var version: IndexVersion?
    /// Where the journal goes on; nil where there is none.
    var journal: OpenJournal?
}

/// What tells one committed state of an index from another without reading it.
struct IndexVersion: Hashable, Sendable {
    /// What lies under the name of the index; nil where there is none.
    var index: FileStatus?
    /// Which journal there is, and its size; nil where there is none.
    var journal: JournalVersion?
    /// The number of replaced files that the lock file counts.
    var count: Int

    struct JournalVersion: Hashable, Sendable {
        var identity: FileIdentity
        var size: Int
    }
}

/// A journal that belongs to the index beside it.
struct OpenJournal: Sendable {
    var tail: Journal.Tail
    /// The bytes of the records that the index does not hold yet.
    var pending: Int
}

extension IndexStore {
    /// Removes the temporary files that commits of dead processes left; only under the lock.
    func sweep(_ folder: Handle, _ lock: IndexLock) throws {
        for name in try fileSystem.list(folder) where names.isTemporary(name) {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: folder) }
        }
    }
}

extension Handle {
    /// Where the folder was when it was opened.
    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The URL of `name` inside this folder.
    func url(of name: FileName) -> URL {
        URL(filePath: path(of: name), directoryHint: .notDirectory)
    }
}
