import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Writes by lines, as replicas make them: the collection becomes what the same calls with items would make of it.
struct LineWriteTests {
    private let disk: NotesDisk
    private let process: ProcessFileSystem
    private let notes: Directory<Note>
    private let lines: LineCollection
    private let coding: LineCoding

    init() throws {
        disk = try NotesDisk()
        process = ProcessFileSystem(disk.disk)
        notes = try disk.notes(on: process)
        lines = LineCollection(notes)
        coding = LineCoding(of: Note.self, .init(), at: notes.url)
        try notes.append(contentsOf: [.salt, .milk, .eggs])
    }

    private func write(_ body: (inout ElementDraft) throws -> Void) throws {
        try lines.write(importing: nil) { draft, _ in try body(&draft) }
    }

    private func id(of note: Note) throws -> ElementID { try #require(coding.id(note.id)) }

    @Test func idThatComesTwiceIsRemovedOnce() throws {
        try write { try $0.removeLines([id(of: .salt), id(of: .eggs), id(of: .salt)]) }
        #expect(try disk.read() == [.milk])
    }

    @Test func missingIDRemovesNothing() throws {
        let missing = try #require(coding.id(9))
        expectError(.itemNotFound) { try write { try $0.removeLines([id(of: .milk), missing]) } }
        #expect(try disk.read() == [.salt, .milk, .eggs])
    }

    @Test func idOfAnotherTypeIsNone() {
        #expect(coding.id("1") == nil)
        #expect(coding.id(UUID()) == nil)
    }

    @Test func linesComeBehindOthersAndMove() throws {
        let bread = Note(id: 4, title: "Bread")
        let json = try JSONEncoder().encode(bread)
        let line = try coding.decode(Array(json)[...])
        try write { draft in
            try draft.insert(line, behind: id(of: .salt))
            try draft.move(id(of: .eggs), behind: nil)
        }
        #expect(try disk.read() == [.eggs, .salt, bread, .milk])
        expectError(.duplicateID) { try write { try $0.insert(line, behind: nil) } }
        #expect(lines.lines.map(\.bytes) == notes.items.elements.map(\.line))
    }

    @Test func collectionStaysOpenAsLongAsItsLinesAreHeld() throws {
        let disk = try NotesDisk()
        func open() throws -> LineCollection {
            LineCollection(try disk.notes(on: ProcessFileSystem(disk.disk)))
        }
        var lines: LineCollection? = try open()
        let core = try #require(lines?.core)
        #expect(core.handleCount.load(ordering: .relaxed) == 1)
        lines = nil
        #expect(core.handleCount.load(ordering: .relaxed) == 0)
    }
}
