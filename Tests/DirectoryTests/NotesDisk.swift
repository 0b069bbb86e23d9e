import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// A disk in memory with the index `notes.json`, and what processes and others do to it.
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

    /// The notes as the process sees them that has `fileSystem`; with a journal from the first
    /// change of an index on, unless told otherwise.
    func notes(
        on fileSystem: any FileSystem, _ options: DirectoryOptions = .init(), threshold: Int = 0,
        growth: Int = 100
    ) throws -> Directory<Note> {
        var options = options
        options.journalThreshold = threshold
        // By default some records fit into the padding, and some do not.
        options.journalGrowth = growth
        return try Directory(
            at: URL(filePath: "/store"), index: "notes.json", options: options, on: fileSystem)
    }

    /// What a process that only reads finds, which leaves everything as it is.
    func read() throws -> [Note] {
        let process = ProcessFileSystem(disk)
        let notes = try notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.load()
        return Array(notes.items)
    }

    func bytes(_ name: FileName) throws -> [UInt8]? { try disk.readAll(name, in: folder) }

    /// Gives the file `name` other bytes in place, as an editor or a failing drive does.
    func write(_ bytes: [UInt8], to name: FileName) throws {
        let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o600))
        try disk.truncate(file, to: 0)
        try disk.write(bytes, to: file, at: 0)
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

    /// The journal as it lies on the disk.
    var journal: Journal {
        get throws { try Journal(#require(try bytes(".notes.journal"))) }
    }
}

extension NotesDisk {
    /// A disk whose index has a journal with a record for each of `edits`, left by a process that
    /// was killed; and the notes before the first record and after each.
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

    /// Appends, replaces, moves and removes, `count` in all.
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
