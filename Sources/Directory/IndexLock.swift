import FileSystem
import Foundation
import Synchronization

/// The lock of an index, given back when the object goes; see ``IndexStore/withLock(in:_:)``.
final class IndexLock {
    private let fileSystem: any FileSystem
    private let keeper: FileKeeper
    private var files: FileKeeper.Files
    /// The count of replaced files: odd while one is being replaced.
    private(set) var count: Int

    fileprivate init(_ files: FileKeeper.Files, count: Int, of store: IndexStore) {
        fileSystem = store.fileSystem
        keeper = store.keeper
        self.files = files
        self.count = count
    }

    deinit {
        // A child process, which shares the lock, must not give back that of its parent.
        guard files.process == getpid() else { return }
        do {
            try fileSystem.unlock(files.lock)
            keeper.keep(files)
        } catch {
            // The lock goes with the file, which is closed now.
        }
    }

    /// The journal that was written under this lock or the one before, if it is still open.
    var journal: FileKeeper.Journal? {
        get { files.journal }
        set { files.journal = newValue }
    }

    func setCount(_ newCount: Int) throws {
        try fileSystem.write(LockText.line(newCount), to: files.lock, at: 0)
        count = newCount
    }
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
                return try withExtendedLifetime(lock) { try body(lock) }
            }
            Thread.sleep(forTimeInterval: .random(in: 0...longestPause))
            longestPause = min(longestPause * 2, 0.01)
        } while ContinuousClock.now < deadline
        throw lockIsTaken(in: folder)
    }

    /// The lock, nil while another process or handle has it.
    func tryLock(in folder: Handle) throws -> IndexLock? {
        let process = getpid()
        if let files = keeper.take(for: process), let lock = try lock(files, in: folder) {
            return lock
        }
        let access = FileAccess.openOrCreate(mode: options.filePermissions)
        let file = try fileSystem.openFile(names.lock, in: folder, for: access)
        let identity = try fileSystem.status(of: file).identity
        return try lock(.init(process: process, lock: file, identity: identity), in: folder)
    }

    /// The lock of an open file; nil where another has it, or the file is no longer the one.
    private func lock(_ files: FileKeeper.Files, in folder: Handle) throws -> IndexLock? {
        guard try fileSystem.tryLock(files.lock) else { return nil }
        // Whoever replaced the lock file meanwhile locks the new one; the old one guards nothing.
        guard let named = try fileSystem.status(of: names.lock, in: folder),
            named.identity == files.identity
        else { return nil }
        guard named.linkCount <= 1 else {
            throw DirectoryError(
                .ioFailure, "lock", folder.url(of: names.lock),
                "the file has another name as well, so it is not for writing to")
        }
        let holder = LockText.holder(files.process)
        let text = try LockText(of: files.lock, on: fileSystem, holderLength: holder.count)
        if text.holder != holder[...] {
            let bytes = LockText.line(text.count) + holder
            try fileSystem.write(bytes, to: files.lock, at: 0)
        }
        return IndexLock(files, count: text.count, of: self)
    }

    /// The lock file, to read the count; nil where nothing was ever locked.
    func counter(in folder: Handle) throws -> Handle? {
        try fileSystem.unlessMissing {
            try fileSystem.openFile(names.lock, in: folder, for: .read)
        }
    }

    /// The count of replaced files: odd while one is being replaced, 0 where none was counted.
    func count(of counter: Handle?) throws -> Int {
        try counter.map { try LockText(of: $0, on: fileSystem, holderLength: 0).count } ?? 0
    }

    /// The error of a lock that was not free until the deadline.
    func lockIsTaken(in folder: Handle) -> DirectoryError {
        let text = try? counter(in: folder).map {
            try LockText(of: $0, on: fileSystem, holderLength: 256)
        }
        let name = text.flatMap { text in
            text.holder.firstIndex(of: UInt8(ascii: "\n")).map { text.holder[...$0] }
        }
        let holder =
            switch name {
            case nil, [UInt8(ascii: "\n")]: "another process"
            case LockText.holder(getpid())[...]: "this process"
            case let name?: String(decoding: name.dropLast(), as: UTF8.self)
            }
        return DirectoryError(
            .locked, "lock", folder.url(of: names.lock),
            "\(holder) has held the lock for \(options.lockTimeout)")
    }
}

/// What a lock file says: in its first line the count of replaced files, with 20 digits, so that
/// it can be written over; in the second who had the lock last.
///
/// Only hints: any text will do, and counts as 0 and as nobody.
private struct LockText {
    var count: Int
    /// The line of the holder with its newline, and perhaps more or less.
    var holder: ArraySlice<UInt8>

    private static let countLength = 20
    /// The line of the holder that this process is, and its number then.
    private static let own = Mutex((process: Int32(0), line: [UInt8]()))

    /// The line of a holder, with its newline.
    static func holder(_ process: Int32) -> [UInt8] {
        own.withLock { own in
            if own.process != process {
                let name = ProcessInfo.processInfo.processName.filter { !$0.isNewline }.prefix(64)
                own = (process, Array("process \(process) (\(name))\n".utf8))
            }
            return own.line
        }
    }

    init(of file: Handle, on fileSystem: any FileSystem, holderLength: Int) throws {
        let length = Self.countLength + 1 + holderLength
        let bytes = try [UInt8](unsafeUninitializedCapacity: length) { buffer, read in
            read = try fileSystem.read(file, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        count = Int(ascii: bytes[..<newline]) ?? 0
        holder = bytes[newline...].dropFirst()
    }

    /// The first line that says `count`.
    static func line(_ count: Int) -> [UInt8] {
        let digits = String(count)
        let zeros = String(repeating: "0", count: max(0, countLength - digits.utf8.count))
        return Array("\(zeros)\(digits)\n".utf8)
    }
}
