import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A journal on disk, as processes read it.
@Suite struct JournalReadingTests {
    @Test func othersCatchUpWithEachChangeAndReadItAnew() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let disk = try NotesDisk()
        let processes = (0..<3).map { _ in ProcessFileSystem(disk.disk) }
        let collections = try processes.map { try disk.notes(on: $0) }
        defer { processes.forEach { $0.kill() } }
        try collections[0].append(contentsOf: (0..<20).map { Note(id: $0, title: "\($0)") })
        var model = Array(collections[0].items)
        for step in 0..<150 {
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

    @Test func catchingUpReadsOnlyWhatIsNew() throws {
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
        try damageWhatIsKnown(disk, upTo: known)
        try reader.load()
        #expect(reader.items.map(\.title) == ["Brown eggs", "Milk", "Salt"])
        let calls = reading.log[before.count...]
        #expect(!calls.contains { $0.hasSuffix("/notes.json") && !$0.hasPrefix("stat") })
        #expect(calls.count { $0 == "read /store/.notes.journal" } == 1)
        #expect(!calls.contains { $0.hasPrefix("lock") || $0.hasPrefix("write") })
        expectError(.journalDamaged) { try disk.read() }
    }

    /// Whoever reads the first bytes of the journal again finds them damaged; all but the last
    /// checksum, which tells whether it is the same journal still.
    private func damageWhatIsKnown(_ disk: NotesDisk, upTo end: Int? = nil) throws {
        let end = try (end ?? disk.journal.tail.end) - 9
        let healthy = try #require(try disk.bytes(".notes.journal"))
        try disk.write(healthy.enumerated().map { $0 < end ? 0 : $1 }, to: ".notes.journal")
    }

    @Test func loadingWithoutNewsReadsNeitherAgain() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.append(.eggs)
        try notes.append(.milk)
        let before = process.log
        try damageWhatIsKnown(disk)
        try notes.load()
        let calls = process.log[before.count...]
        #expect(!calls.contains { $0 == "read /store/notes.json" })
    }

    @Test func commitReadsNeitherIndexNorJournal() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        defer { withExtendedLifetime(notes) { process.kill() } }
        try notes.append(.eggs)
        try notes.append(.milk)
        let before = process.log
        try damageWhatIsKnown(disk)
        try notes.append(.salt)
        let calls = process.log[before.count...]
        #expect(!calls.contains { $0 == "read /store/notes.json" })
        #expect(calls.filter { $0.hasPrefix("sync") } == ["sync /store/.notes.journal"])
        #expect(!calls.contains { $0.hasPrefix("rename") })
    }

    @Test func catchingUpEqualsReadingAnew() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let reader = IndexReader<Note>(options: .init(), url: .init(filePath: "/notes.json"))
        for _ in 0..<200 {
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
            let commits = try disk.journal.records.map(\.operations)
            let caughtUp = try #require(reader.snapshot(old.core.snapshot, after: commits))
            #expect(Array(caughtUp.items) == Array(notes.items), "seed \(random.seed)")
            #expect(caughtUp.items.slots.map(\.line) == notes.core.snapshot.items.slots.map(\.line))
            startProcess.kill()
        }
    }

    @Test func operationsThatDoNotFitAreNotCaughtUpWith() throws {
        let disk = try NotesDisk()
        let reader = IndexReader<Note>(options: .init(), url: .init(filePath: "/notes.json"))
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
            #expect(reader.snapshot(notes.core.snapshot, after: [[operation]]) == nil)
        }
    }
}
