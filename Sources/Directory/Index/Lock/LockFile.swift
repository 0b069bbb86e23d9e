import FileSystem
import Foundation
import Synchronization

/// The contents of a lock file: the generation of the files, and the process that had the lock last.
///
/// The first line is the generation, with 20 digits so that it can be overwritten in place. The
/// second line is the process, its name in parentheses, what tells whether it lives (``StageOwner``), and perhaps
/// ``unsynced``. Both are hints: any other text counts as generation 0 and as an unknown process. The size tells whether
/// another index was made beside this one (``markedSize``).
struct LockFile {
    var generation: Int
    /// Whether the first line is one that the library writes.
    let isWritten: Bool
    /// The line of the process with its newline; a part of it if it is longer than was read.
    var holder: ArraySlice<UInt8>

    /// The least size of a lock file after which that of another index was made in the folder.
    static let markedSize = 1024

    private static let generationLength = 20
    /// The end of the second line if bytes of the journal may not be on stable storage although later syncs succeed: the
    /// next record needs a new file.
    private static let unsynced = Array(" unsynced\n".utf8)

    /// The line of this process, with the process identifier, because a child process needs
    /// another line.
    private static let own = Mutex((process: Int32(0), line: [UInt8]()))

    /// The line of this process, whose identifier is `process`, with its newline.
    static func holder(of process: Int32) -> [UInt8] {
        own.withLock { own in
            if own.process != process {
                let name = ProcessInfo.processInfo.processName.filter { !$0.isNewline }.prefix(64)
                let owner = StageOwner.text(Machine.current)
                own = (process, Array("process \(process) (\(name)) \(owner)\n".utf8))
            }
            return own.line
        }
    }

    /// Both lines, of `generation` and of `process`, whether ``unsynced`` or not.
    static func lines(_ generation: Int, _ process: Int32, isUnsynced: Bool) -> [UInt8] {
        let holder = holder(of: process)
        return line(generation) + (isUnsynced ? holder.dropLast() + unsynced : holder)
    }

    /// Reads a lock file: the first line, and `holderLength` bytes of the second.
    init(_ file: Handle, on fileSystem: any FileSystem, holderLength: Int) throws {
        let length = Self.generationLength + 1 + holderLength
        let bytes = try fileSystem.read(file, at: 0, count: length)
        let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let number = Int(ascii: bytes[..<newline])
        generation = number ?? 0
        isWritten = newline == Self.generationLength && number != nil
        holder = bytes[newline...].dropFirst()
    }

    /// Whether the library has written the lock file `name`; other programs have files with such names.
    static func isWritten(
        _ name: FileName, in folder: Handle, on fileSystem: any FileSystem
    ) throws -> Bool {
        guard try fileSystem.status(of: name, in: folder)?.kind == .file,
            let file = try fileSystem.openFileIfPresent(name, in: folder, for: .read)
        else { return false }
        return try Self(file, on: fileSystem, holderLength: 0).isWritten
    }

    /// The generation; nil if the first line is not valid, if the process with the line `line` did not have the lock last,
    /// or if ``unsynced`` is there.
    ///
    /// It makes no array, because almost every change of a collection reads it so.
    static func generation(
        of file: Handle, on fileSystem: any FileSystem, ifHeldBy line: [UInt8]
    ) throws -> Int? {
        let start = generationLength + 1
        return try withUnsafeTemporaryAllocation(
            byteCount: start + line.count, alignment: 1
        ) { bytes in
            guard try fileSystem.read(file, at: 0, into: bytes) == bytes.count,
                bytes[generationLength] == UInt8(ascii: "\n")
            else { return nil }
            let isHeld = line.withUnsafeBytes { own in
                guard let found = bytes.baseAddress, let own = own.baseAddress else { return true }
                return memcmp(found + start, own, line.count) == 0
            }
            guard isHeld else { return nil }
            return Int(ascii: bytes[..<generationLength])
        }
    }

    /// The first line for `generation`.
    static func line(_ generation: Int) -> [UInt8] {
        let digits = String(generation)
        let zeros = String(repeating: "0", count: max(0, generationLength - digits.utf8.count))
        return Array("\(zeros)\(digits)\n".utf8)
    }

    /// The identifier of the process that had the lock last; nil if the second line does not have it.
    var holderProcess: Int32? {
        let words = holder.split(separator: 0x20)
        guard words.count > 1, words[0].elementsEqual("process".utf8) else { return nil }
        return Int(ascii: words[1]).flatMap { Int32(exactly: $0) }
    }

    /// Whether bytes of the journal may not be on stable storage although later syncs succeed.
    ///
    /// After a sync that failed, the system's cache can have such bytes. The process that had the lock last says so, or is
    /// known to have ended: it may have died before it could say it.
    var leavesUnsyncedJournal: Bool {
        guard let newline = holder.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let end = holder[...newline].suffix(Self.unsynced.count)
        if end.elementsEqual(Self.unsynced) { return true }
        guard let owner = holder[..<newline].split(separator: UInt8(ascii: ")")).last,
            let name = FileName(String(decoding: owner.dropFirst(), as: UTF8.self)),
            StageOwner.isOwner(name)
        else { return false }
        return StageOwner.state(name, on: Machine.current) == .dead
    }

    /// The process that had the lock last, in words.
    var holderDescription: String {
        guard let newline = holder.firstIndex(of: UInt8(ascii: "\n")), newline > holder.startIndex
        else { return "another process" }
        let line = holder[...newline]
        let own = Self.holder(of: ProcessInfo.processInfo.processIdentifier).dropLast()
        if line.starts(with: own) { return "this process" }
        let words = line.dropLast()
        let end = words.lastIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? words.endIndex
        return String(decoding: words[..<end], as: UTF8.self)
    }
}
