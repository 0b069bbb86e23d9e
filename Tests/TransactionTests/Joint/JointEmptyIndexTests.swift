import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Writes to several collections whose index is empty or missing, and homes that cannot be read.
struct JointEmptyIndexTests {
    /// A journal beside an empty file would say nothing about its lines.
    @Test(arguments: [true, false]) func linesOfAnIndexOfNoBytesAreNotLost(_ isThere: Bool) throws {
        let sandbox = try Sandbox()
        try sandbox.boxes("from").append(Box(id: 1, folderName: "One"))
        if isThere { try sandbox.write("", to: "to/boxes.json") }
        let process = ProcessFileSystem(LocalFileSystem())
        let sides = try ["from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        try sides[0].transfer([1], to: sides[1])
        withExtendedLifetime(sides) { process.kill() }
        #expect(try sandbox.boxes("to").items.map(\.id) == [1])
        #expect(try sandbox.boxes("from").isEmpty)
    }

    /// It may have decided that the write takes place.
    @Test func aParticipantWaitsForAHomeThatIsDamaged() throws {
        let store = try JointStore()
        let killed = try store.boxes(on: JointKill.decided.process)
        #expect(throws: (any Error).self) { try JointScenario.parentAndChild.run(killed) }
        let whole = try store.sandbox.bytes(".boxes.journal")
        var damaged = whole
        damaged[damaged.startIndex + 3] ^= 1
        try store.sandbox.write(damaged, to: ".boxes.journal")
        let notes = try Directory<Note>(at: store.sandbox.url("One"), index: "notes.json")
        expectError(.journalDamaged) { try notes.append(Note(40)) }
        #expect(try notes.loaded().map(\.id) == [1])
        try store.sandbox.write(whole, to: ".boxes.journal")
        try notes.append(Note(40))
        #expect(notes.items.map(\.id) == [1, Note.salt.id, 40])
        #expect(try store.boxes().loaded().map(\.id) == [1, 2, 9])
    }
}
