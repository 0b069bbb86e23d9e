import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Processes that read a journal on disk.
struct JournalReadingTests {
    @Test func otherProcessesReadEachChange() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let disk = try NotesDisk()
        let processes = (0..<3).map { _ in ProcessFileSystem(disk.disk) }
        let collections = try processes.map { try disk.notes(on: $0) }
        defer { processes.forEach { $0.kill() } }
        try collections[0].append(contentsOf: (0..<20).map { Note(id: $0, title: "\($0)") })
        var model = Array(collections[0].items)
        for step in 0..<TestSize.choose(sample: 30, gate: 150, full: 150) {
            let edit = Edit.random(of: model, by: &random)
            let writer = collections[Int.random(in: 0..<2, using: &random)]
            try? writer.write { try edit.apply(to: &$0) }
            model = (try? edit.applied(to: model).get()) ?? model
            // The third process does not read after each change.
            for (number, collection) in collections.enumerated()
            where number < 2 || Int.random(in: 0..<4, using: &random) == 0 {
                try collection.load()
                #expect(
                    Array(collection.items) == model, "seed \(random.seed), step \(step), \(edit)")
            }
            #expect(try disk.read() == model, "seed \(random.seed), step \(step), \(edit)")
        }
    }

    @Test func catchingUpReadsOnlyNewRecords() throws {
        let disk = try NotesDisk()
        let (writing, reading) = (ProcessFileSystem(disk.disk), ProcessFileSystem(disk.disk))
        let (writer, reader) = (try disk.notes(on: writing), try disk.notes(on: reading))
        defer { [writing, reading].forEach { $0.kill() } }
        try writer.append(contentsOf: [.eggs, .milk])
        try writer.append(.salt)
        try reader.load()
        let before = reading.log
        let known = try disk.journal.tail.end
        try writer.update(Note(id: 1, title: "Brown eggs"))
        try damageKnownBytes(disk, upTo: known)
        try reader.load()
        #expect(reader.items.map(\.title) == ["Brown eggs", "Milk", "Salt"])
        let calls = reading.log[before.count...]
        #expect(!calls.contains { $0.hasSuffix("/notes.json") && !$0.hasPrefix("stat") })
        #expect(!calls.contains { $0.hasPrefix("lock") || $0.hasPrefix("write") })
        expectError(.journalDamaged) { try disk.read() }
    }

    /// Damages the bytes of the journal up to `end`, or to the tail, so that reading them again is
    /// an error.
    ///
    /// The last checksum stays, because it shows that this is still the same journal.
    private func damageKnownBytes(_ disk: NotesDisk, upTo end: Int? = nil) throws {
        let end = try (end ?? disk.journal.tail.end) - 9
        let healthy = try #require(try disk.bytes(".notes.journal"))
        try disk.write(healthy.enumerated().map { $0 < end ? 0 : $1 }, to: ".notes.journal")
    }

    @Test func loadWithoutNewRecordsReadsNoFileAgain() throws {
        let calls = try callsWithDamagedJournal { notes in try notes.load() }
        #expect(!calls.contains { $0 == "read /store/notes.json" })
    }

    @Test func commitReadsNeitherIndexNorJournal() throws {
        let calls = try callsWithDamagedJournal { notes in try notes.append(.salt) }
        #expect(!calls.contains { $0 == "read /store/notes.json" })
        #expect(!calls.contains { $0.hasPrefix("rename") })
    }

    /// The calls that `body` makes after the bytes that the process knows were damaged.
    private func callsWithDamagedJournal(_ body: (Directory<Note>) throws -> Void) throws
        -> [String]
    {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.append(.eggs)
        try notes.append(.milk)
        let before = process.log.count
        try damageKnownBytes(disk)
        try body(notes)
        return Array(process.log[before...])
    }

    @Test func catchingUpEqualsReadingFromTheStart() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let coding = ItemCoding<Note>(.init(), url: .init(filePath: "/notes.json"))
        for _ in 0..<TestSize.choose(sample: 15, gate: 400, full: 4_000) {
            let (start, disk) = (try NotesDisk(), try NotesDisk())
            let process = ProcessFileSystem(disk.disk)
            let notes = try disk.notes(on: process)
            try notes.append(contentsOf: (0..<10).map { Note(id: $0, title: "\($0)") })
            try start.write(#require(try disk.bytes("notes.json")), to: "notes.json")
            let startProcess = ProcessFileSystem(start.disk)
            let old = try start.notes(on: startProcess)
            try old.load()
            for _ in 0..<5 {
                let edit = Edit.random(of: Array(notes.items), by: &random)
                try? notes.write { try edit.apply(to: &$0) }
            }
            process.kill()
            guard try disk.bytes(".notes.journal") != nil else { continue }
            let operations = RecordedChanges(try disk.journal.records).operations
            let before = old.core.snapshot
            let (caughtUp, change) = try #require(before.applying(operations, coding))
            let compared = ElementChange(from: before.elements, to: caughtUp.elements)
            #expect(change.inserted == compared.inserted, "seed \(random.seed)")
            #expect(change.updated == compared.updated, "seed \(random.seed)")
            #expect(change.removed == compared.removed, "seed \(random.seed)")
            #expect(change.isReordered == compared.isReordered, "seed \(random.seed)")
            #expect(
                Array(Directory<Note>.Items(caughtUp.elements)) == Array(notes.items),
                "seed \(random.seed)")
            #expect(
                caughtUp.elements.map(\.line) == notes.core.snapshot.elements.map(\.line))
            startProcess.kill()
        }
    }

    @Test func catchingUpRefusesInvalidOperations() throws {
        let disk = try NotesDisk()
        let coding = ItemCoding<Note>(.init(), url: .init(filePath: "/notes.json"))
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.append(contentsOf: [.eggs, .milk])
        let line = Array(#"{"id":1,"title":"Twice"}"#.utf8)[...]
        let refused: [LineOperation] = [
            .insert(line, at: 0), .insert(line, at: 3), .insert([], at: 0), .replace(line, at: 1),
            .replace(line, at: 2), .remove(at: 0, checksum: 0), .remove(at: 2, checksum: 0),
        ]
        for operation in refused {
            #expect(notes.core.snapshot.applying([operation], coding) == nil)
        }
    }
}
