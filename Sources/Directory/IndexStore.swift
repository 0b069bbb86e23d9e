import FileSystem
import Foundation

/// One index on disk, as bytes: its lock, its reading and its replacement.
///
/// This is the one place that knows how a committed state is kept, so it is where a journal
/// belongs. Every call is about an open folder, which the caller chose.
struct IndexStore: Sendable {
    let fileSystem: any FileSystem
    let names: IndexNames
    let options: DirectoryOptions
}

/// What tells one committed state of an index from another without reading it.
struct IndexVersion: Hashable, Sendable {
    /// What lies under the name of the index; nil where there is none.
    var status: FileStatus?
    /// The number of commits that the lock file counts.
    var commits: Int
}

/// The lock of an index, held until the value is gone; see ``IndexStore/withLock(in:_:)``.
struct IndexLock {
    fileprivate let file: Handle
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
        throw DirectoryError(
            .locked, "lock", folder.url(of: names.lock),
            "another process has held the lock for \(options.lockTimeout)")
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

    /// The version of what is on disk now; nil where a commit is under way, or died.
    func version(in folder: Handle) throws -> IndexVersion? {
        let commits = try commits(in: folder)
        guard commits.isMultiple(of: 2) else { return nil }
        let status = try fileSystem.status(of: names.index, in: folder)
        return IndexVersion(status: status, commits: commits)
    }

    /// The bytes of the newest committed state, nil where there is no index, and its version.
    ///
    /// No lock is needed: a commit never changes a file that is the index, it replaces it. The
    /// version is nil where a commit came between, so that nobody trusts it later.
    func read(in folder: Handle) throws -> (bytes: [UInt8]?, version: IndexVersion?) {
        let before = try commits(in: folder)
        let file = try fileSystem.unlessMissing {
            try fileSystem.openFile(names.index, in: folder, for: .read)
        }
        let status = try file.map { try fileSystem.status(of: $0) }
        let bytes = try file.map { try fileSystem.readAll($0) }
        guard try before.isMultiple(of: 2) && before == commits(in: folder) else {
            return (bytes, nil)
        }
        return (bytes, IndexVersion(status: status, commits: before))
    }

    /// Makes `lines` the elements of the index.
    ///
    /// The index holds the old elements or the new ones at every instant. When this method
    /// returns, the new ones are on stable storage; with `relaxed` durability their name may
    /// still be on its way.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt` if the folder could not be synced; then
    ///   nobody knows which of the two a power loss leaves.
    func commit(
        _ lines: [ArraySlice<UInt8>], in folder: Handle, _ lock: IndexLock,
        _ durability: DirectoryOptions.Durability
    ) throws -> IndexVersion? {
        let replaced = try fileSystem.status(of: names.index, in: folder)
        let temporary = try names.newTemporary()
        let opening = try count(of: lock) | 1
        do {
            let mode = replaced?.mode ?? options.filePermissions
            let file = try fileSystem.openFile(temporary, in: folder, for: .create(mode: mode))
            try fileSystem.write(Self.bytes(of: lines), to: file, at: 0)
            try fileSystem.sync(file)
            // Readers take no lock: an odd count tells them that what they see may be replaced.
            try setCount(opening, lock)
            try fileSystem.rename(
                temporary, in: folder, to: names.index, in: folder, replacing: true)
        } catch {
            // Best effort: the next lock sweeps what stays.
            try? fileSystem.removeFile(temporary, in: folder)
            throw error
        }
        // Best effort: an odd count only makes others read the index again. The text of the lock
        // file can be anything, so the count may wrap.
        try? setCount(opening &+ 1, lock)
        if durability == .durable {
            do {
                try fileSystem.sync(folder)
            } catch {
                throw DirectoryError(
                    .inDoubt, "sync", folder.url, "the new index is in place but not synced",
                    underlying: error)
            }
        }
        // The commit has taken place, whatever a look at it says: without a version, the next
        // call reads the index again.
        return try? version(in: folder)
    }

    /// Removes the temporary files that commits of dead processes left; only under the lock.
    func sweep(_ folder: Handle, _ lock: IndexLock) throws {
        for name in try fileSystem.list(folder) where names.isTemporary(name) {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: folder) }
        }
    }

    /// One element a line, so that the index diffs and greps.
    static func bytes(of lines: [ArraySlice<UInt8>]) -> [UInt8] {
        guard let first = lines.first else { return Array("[]\n".utf8) }
        var bytes = Array("[\n".utf8)
        bytes.reserveCapacity(lines.reduce(6) { $0 + $1.count + 2 })
        bytes += first
        for line in lines.dropFirst() {
            bytes += ",\n".utf8
            bytes += line
        }
        bytes += "\n]\n".utf8
        return bytes
    }
}

extension IndexStore {
    /// The count of commits as a reader sees it: even between commits, 0 where none was counted.
    private func commits(in folder: Handle) throws -> Int {
        let bytes = try fileSystem.readAll(names.lock, in: folder)
        return Self.count(in: bytes ?? [])
    }

    private func count(of lock: IndexLock) throws -> Int {
        Self.count(in: try fileSystem.readAll(lock.file))
    }

    private static func count(in bytes: [UInt8]) -> Int {
        Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) ?? 0
    }

    private func setCount(_ count: Int, _ lock: IndexLock) throws {
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
