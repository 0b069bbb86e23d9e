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
        try nameHolder(in: file)
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
        try counter.map { try LockText(of: $0, on: fileSystem).count } ?? 0
    }

    func setCount(_ count: Int, of lock: IndexLock) throws {
        try fileSystem.write(LockText.line(count), to: lock.file, at: 0)
    }

    /// Lets others know who has the lock, if that was not this process the last time.
    private func nameHolder(in file: Handle) throws {
        let text = try LockText(of: file, on: fileSystem)
        let holder = LockText.thisProcess
        guard text.holder != holder else { return }
        try fileSystem.write(LockText.line(text.count) + Array("\(holder)\n".utf8), to: file, at: 0)
    }

    /// The error of a lock that was not free until the deadline.
    func lockIsTaken(in folder: Handle) -> DirectoryError {
        let text = try? counter(in: folder).map { try LockText(of: $0, on: fileSystem) }
        let holder = text?.holder == LockText.thisProcess ? "this process" : text?.holder
        return DirectoryError(
            .locked, "lock", folder.url(of: names.lock),
            "\(holder ?? "another process") has held the lock for \(options.lockTimeout)")
    }
}

/// What a lock file says: in its first line the count of replaced files, with 20 digits, so that
/// it can be written over; in the second who had the lock last.
///
/// Only hints: any text will do, and counts as 0 and as nobody.
private struct LockText {
    var count: Int
    var holder: String?

    private static let countLength = 20

    static var thisProcess: String {
        let process = ProcessInfo.processInfo
        let name = process.processName.filter { !$0.isNewline }.prefix(64)
        return "process \(process.processIdentifier) (\(name))"
    }

    init(of file: Handle, on fileSystem: any FileSystem) throws {
        let bytes = try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            Array(buffer.prefix(try fileSystem.read(file, at: 0, into: buffer)))
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        count = Int(String(decoding: lines[0], as: UTF8.self)) ?? 0
        holder = lines.count > 2 ? String(decoding: lines[1], as: UTF8.self) : nil
    }

    /// The first line that says `count`.
    static func line(_ count: Int) -> [UInt8] {
        let digits = String(count)
        let zeros = String(repeating: "0", count: max(0, countLength - digits.utf8.count))
        return Array("\(zeros)\(digits)\n".utf8)
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
