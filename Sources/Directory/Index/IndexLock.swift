import FileSystem
import Foundation
import Synchronization

/// The lock of an index, held until the object goes; see ``IndexStore/withLock(in:_:)``.
///
/// A class, so that all who work under the lock see the count that one of them changes.
final class IndexLock {
    private let fileSystem: any FileSystem
    private let file: Handle
    /// The count of replaced files: odd while one is being replaced.
    private(set) var count: Int

    fileprivate init(_ file: Handle, count: Int, on fileSystem: any FileSystem) {
        self.fileSystem = fileSystem
        self.file = file
        self.count = count
    }

    /// Makes the lock file say `newCount`; where that fails, the count is what it was.
    func setCount(_ newCount: Int) throws {
        try fileSystem.write(LockText.line(newCount), to: file, at: 0)
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
        let access = FileAccess.openOrCreate(mode: options.filePermissions)
        let file = try fileSystem.openFile(names.lock, in: folder, for: access)
        guard try fileSystem.tryLock(file) else { return nil }
        // Whoever replaced the lock file meanwhile locks the new one; the old one guards nothing.
        let status = try fileSystem.status(of: file)
        guard try fileSystem.status(of: names.lock, in: folder)?.identity == status.identity else {
            return nil
        }
        guard status.linkCount <= 1 else {
            throw DirectoryError(
                .ioFailure, "lock", folder.url(of: names.lock),
                "the file has another name as well, so it is not for writing to")
        }
        let holder = LockText.holder
        let text = try LockText(of: file, on: fileSystem, holderLength: holder.count)
        if text.holder != holder[...] {
            try fileSystem.write(LockText.line(text.count) + holder, to: file, at: 0)
        }
        return IndexLock(file, count: text.count, on: fileSystem)
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
            case LockText.holder[...]: "this process"
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
    /// The line of this process, and its number when it was made: a child has another one.
    private static let own = Mutex((process: Int32(0), line: [UInt8]()))

    /// The line of this process as the holder, with its newline.
    static var holder: [UInt8] {
        let process = getpid()
        return own.withLock { own in
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
