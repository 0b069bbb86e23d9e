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

/// The lock of an index, held until the value is gone; see ``IndexStore/withLock(in:_:)``.
struct IndexLock {
    let file: Handle
}

extension IndexStore {
    /// Calls `body` while no other process or handle can commit.
    ///
    /// - Throws: ``DirectoryError`` with `locked` after the timeout of the options.
    func withLock<Result>(in folder: Handle, _ body: (IndexLock) throws -> Result) throws
        -> Result
    {
        let deadline = ContinuousClock.now + options.lockTimeout
        var longestPause = 0.0002
        repeat {
            if let lock = try tryLock(in: folder) {
                return try withExtendedLifetime(lock.file) { try body(lock) }
            }
            Thread.sleep(forTimeInterval: .random(in: 0...longestPause))
            longestPause = min(longestPause * 2, 0.01)
        } while ContinuousClock.now < deadline
        throw lockIsTaken(in: folder)
    }

    /// The lock, nil while another process or handle has it.
    func tryLock(in folder: Handle) throws -> IndexLock? {
        let access = FileAccess.openOrCreate(mode: options.filePermissions)
        let file = try fileSystem.openFile(names.lock, in: folder, for: access)
        guard try fileSystem.status(of: file).linkCount <= 1 else {
            throw DirectoryError(
                .ioFailure, "lock", folder.url(of: names.lock),
                "the file has another name as well, so it is not for writing to")
        }
        guard try fileSystem.tryLock(file) else { return nil }
        // Whoever replaced the lock file meanwhile locks the new one; the old one guards nothing.
        let named = try fileSystem.status(of: names.lock, in: folder)
        guard try named?.identity == fileSystem.status(of: file).identity else { return nil }
        return IndexLock(file: file)
    }

    /// Removes the temporary files that commits of dead processes left; only under the lock.
    func sweep(_ folder: Handle, _ lock: IndexLock) throws {
        for name in try fileSystem.list(folder) where names.isTemporary(name) {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: folder) }
        }
    }
}

extension IndexStore {
    /// The lock file, to read the count; nil where nothing was ever locked.
    func counter(in folder: Handle) throws -> Handle? {
        try fileSystem.unlessMissing {
            try fileSystem.openFile(names.lock, in: folder, for: .read)
        }
    }

    /// The count of replaced files: odd while one is being replaced, 0 where none was counted.
    func count(of counter: Handle?) throws -> Int {
        guard let counter else { return 0 }
        let digits = try withUnsafeTemporaryAllocation(byteCount: 24, alignment: 1) { buffer in
            Array(buffer.prefix(try fileSystem.read(counter, at: 0, into: buffer)))
        }
        return Self.count(in: digits)
    }

    private static func count(in bytes: [UInt8]) -> Int {
        Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) ?? 0
    }

    func setCount(_ count: Int, of lock: IndexLock) throws {
        try fileSystem.write(Array("\(count)\n".utf8), to: lock.file, at: 0)
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
