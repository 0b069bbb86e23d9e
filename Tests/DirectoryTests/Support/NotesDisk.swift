import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A disk in memory with the index `notes.json` in the folder `/store`.
struct NotesDisk {
    let disk: MemoryFileSystem
    private let folder: Handle

    init() throws {
        disk = MemoryFileSystem()
        _ = try disk.openOrMakeFolder("store", in: disk.openFolder(at: "/"), mode: 0o700)
        folder = try disk.openFolder(at: "/store")
    }

    init(_ image: MemoryFileSystem.Image) throws {
        disk = MemoryFileSystem(image)
        folder = try disk.openFolder(at: "/store")
    }

    /// The notes as a process with `fileSystem` opens them; by default every change of an index
    /// writes to the journal.
    func notes(
        on fileSystem: any FileSystem, _ options: DirectoryOptions = .init(), threshold: Int = 0,
        growth: Int = 100
    ) throws -> Directory<Note> {
        var options = options
        options.journalThreshold = threshold
        // With the default growth, some records fit into the padding and some do not.
        options.journalGrowth = growth
        return try Directory(
            at: URL(filePath: "/store"), index: "notes.json", options: options, on: fileSystem)
    }

    /// The notes that another process reads; it changes nothing on the disk.
    func read() throws -> [Note] {
        let process = ProcessFileSystem(disk)
        let notes = try notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.load()
        return Array(notes.items)
    }

    func bytes(_ name: FileName) throws -> [UInt8]? { try disk.readAll(name, in: folder) }

    /// Replaces the bytes of a file in place, as an editor or a failing drive does.
    func write(_ bytes: [UInt8], to name: FileName) throws {
        let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o600))
        try disk.truncate(file, to: 0)
        try disk.write(bytes, to: file, at: 0)
    }

    /// Locks the index as another process does, until the handle is released.
    func lock() throws -> Handle {
        let file = try disk.openFile(".notes.lock", in: folder, for: .update)
        try #require(try disk.tryLock(file))
        return file
    }

    func remove(_ name: FileName) throws { try disk.removeFile(name, in: folder) }

    func link(_ name: FileName, to newName: FileName) throws {
        try disk.link(name, in: folder, to: newName, in: folder)
    }

    func identity(of name: FileName) throws -> FileIdentity? {
        try disk.status(of: name, in: folder)?.identity
    }

    var names: Set<String> {
        get throws { Set(try disk.list(folder).map(\.string)) }
    }

    /// The bytes of the journal.
    var journalBytes: [UInt8] {
        get throws { try #require(try bytes(".notes.journal")) }
    }

    var journal: Journal {
        get throws { try Journal(journalBytes) }
    }

    /// The offsets of the ends of the journal's header and of each record.
    var recordEnds: [Int] {
        get throws {
            let header = try journalBytes.prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return try journal.records.reduce(into: [header]) {
                $0.append($0[$0.count - 1] + $1.size)
            }
        }
    }
}

extension NotesDisk {
    /// A disk on which a killed process left a journal with a record for each of `edits`; and the
    /// notes before the first record and after each record.
    static func withJournal(
        _ edits: [Edit], from first: [Note] = [.eggs],
        durability: DirectoryOptions.Durability = .durable
    ) throws -> (disk: NotesDisk, history: [[Note]]) {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process, .init(durability: durability))
        try notes.append(contentsOf: first)
        var history = [Array(notes.items)]
        for edit in edits {
            try notes.write { try edit.apply(to: &$0) }
            history.append(Array(notes.items))
        }
        process.kill()
        try #require(disk.journal.records.count == edits.count)
        return (disk, history)
    }

    /// `count` changes: appends, updates, moves and removals by turns.
    static func edits(_ count: Int) -> [Edit] {
        (0..<count).map { number in
            let id = 1000 + 10 * number
            switch number % 4 {
            case 0: return .appendAll((0..<3).map { Note(id: id + $0, title: "Note \(number)") })
            case 1: return .update(Note(id: id - 10, title: "☕️ \"\(number)\" \n"))
            case 2: return .move([0], to: 2)
            default: return .remove(id: id - 29)
            }
        }
    }
}
