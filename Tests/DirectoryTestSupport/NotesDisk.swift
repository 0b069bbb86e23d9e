package import Directory
package import FileSystem
import Foundation
package import StoreModel
import TestSupport
import Testing

/// A disk in memory with the index `notes.json` in the folder `/store`.
package struct NotesDisk {
    package let disk: MemoryFileSystem
    private let folder: Handle

    package init() throws {
        disk = MemoryFileSystem()
        _ = try disk.openOrMakeFolder("store", in: disk.openFolder(at: "/"), mode: 0o700)
        folder = try disk.openFolder(at: "/store")
    }

    package init(_ image: MemoryFileSystem.Image) throws {
        disk = MemoryFileSystem(image)
        folder = try disk.openFolder(at: "/store")
    }

    /// The notes as a process with `fileSystem` opens them; by default every change of an index
    /// writes to the journal.
    package func notes(
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
    package func read() throws -> [Note] {
        let process = ProcessFileSystem(disk)
        let notes = try notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.load()
        return Array(notes.items)
    }

    package func bytes(_ name: FileName) throws -> [UInt8]? { try disk.readAll(name, in: folder) }

    /// Replaces the bytes of a file in place, as an editor or a failing drive does.
    package func write(_ bytes: [UInt8], to name: FileName) throws {
        let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o600))
        try disk.truncate(file, to: 0)
        try disk.write(bytes, to: file, at: 0)
    }

    /// Locks the index as another process does, until the handle is released.
    package func lock() throws -> Handle {
        let file = try disk.openFile(".notes.lock", in: folder, for: .update)
        try #require(try disk.tryLock(file))
        return file
    }

    package func remove(_ name: FileName) throws { try disk.removeFile(name, in: folder) }

    package func link(_ name: FileName, to newName: FileName) throws {
        try disk.link(name, in: folder, to: newName, in: folder)
    }

    package func identity(of name: FileName) throws -> FileIdentity? {
        try disk.status(of: name, in: folder)?.identity
    }

    package var names: Set<String> {
        get throws { Set(try disk.list(folder).map(\.string)) }
    }

    /// The bytes of the journal.
    package var journalBytes: [UInt8] {
        get throws { try #require(try bytes(".notes.journal")) }
    }
}

extension NotesDisk {
    /// `count` changes: appends, updates, moves and removals by turns.
    package static func edits(_ count: Int) -> [Edit] {
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
