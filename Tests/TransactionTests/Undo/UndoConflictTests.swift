import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Undo after others have changed the collection too.
struct UndoConflictTests {
    let sandbox: Sandbox
    let notes: Directory<Note>
    /// What another process has open.
    let others: Directory<OtherNote>

    init() throws {
        sandbox = try Sandbox()
        others = try Directory(at: sandbox.url, index: "notes.json")
        try others.append(contentsOf: (1...4).map { OtherNote(id: $0, title: "\($0)") })
        notes = try Directory(
            at: sandbox.url, index: "notes.json", options: DirectoryOptions(undoLimit: 10))
        try notes.load()
    }

    private func expectConflict(_ step: () throws -> Void, _ change: () throws -> Void) throws {
        try step()
        try change()
        let before = try sandbox.bytes("notes.json")
        expectError(.undoConflict) { try notes.undo() }
        #expect(try sandbox.bytes("notes.json") == before)
        #expect(notes.canUndo && !notes.canRedo)
    }

    @Test func itemThatOthersUpdatedIsAConflict() throws {
        try expectConflict {
            try notes.update(Note(id: 2, title: "b"))
        } _: {
            try others.update(OtherNote(id: 2, title: "c"))
        }
        // As it was again, it can be undone.
        try others.update(OtherNote(id: 2, title: "b"))
        try notes.undo()
        #expect(notes[id: 2]?.title == "2")
    }

    @Test func changeThatOthersHaveTakenBackIsOverWhenItIsUndone() throws {
        try notes.move(fromOffsets: [0], toOffset: 3)
        try others.load()
        try others.move(fromOffsets: [2], toOffset: 0)
        #expect(try notes.undo()?.isEmpty == true)
        #expect(!notes.canUndo && !notes.canRedo)
        let hasNext = try notes.undo() != nil
        #expect(!hasNext)
        #expect(notes.items.map(\.id) == [1, 2, 3, 4])
    }

    @Test func itemThatOthersRemovedIsAConflict() throws {
        try expectConflict {
            try notes.update(Note(id: 2, title: "b"))
        } _: {
            try others.remove(id: 2)
        }
    }

    @Test func newItemThatOthersUpdatedIsAConflict() throws {
        try expectConflict {
            try notes.append(Note(id: 5, title: "5"))
        } _: {
            try others.update(OtherNote(id: 5, title: "five"))
        }
    }

    @Test func newItemThatOthersRemovedIsAConflict() throws {
        try expectConflict {
            try notes.append(Note(id: 5, title: "5"))
        } _: {
            try others.remove(id: 5)
        }
    }

    @Test func removedItemThatOthersAddedAgainIsAConflict() throws {
        try expectConflict {
            try notes.remove(id: 2)
        } _: {
            try others.append(OtherNote(id: 2, title: "2"))
        }
    }

    @Test func movedItemThatOthersRemovedIsAConflict() throws {
        try expectConflict {
            try notes.move(fromOffsets: [0], toOffset: 4)
        } _: {
            try others.remove(id: 1)
        }
    }

    @Test func whatOthersChangedElsewhereStays() throws {
        try notes.write { draft in
            try draft.remove(id: 3)
            try draft.update(Note(id: 1, title: "a"))
            try draft.append(Note(id: 5, title: "5"))
        }
        try others.write { draft in
            try draft.update(OtherNote(id: 4, title: "four"))
            try draft.remove(id: 2)
            try draft.append(OtherNote(id: 6, title: "6"))
            try draft.insert(OtherNote(id: 7, title: "7"), at: 0)
        }
        try notes.undo()
        #expect(notes.items.map(\.title) == ["7", "1", "3", "four", "6"])
        try notes.redo()
        #expect(notes.items.map(\.title) == ["7", "a", "four", "5", "6"])
        #expect(try sandbox.notesOnDisk() == Array(notes.items))
    }

    @Test func removedItemsComeBackBesideTheirNeighbours() throws {
        try notes.remove(ids: [2, 3])
        try others.load()
        try others.move(fromOffsets: [0], toOffset: 2)
        #expect(try others.loaded().map(\.id) == [4, 1])
        try notes.undo()
        #expect(notes.items.map(\.id) == [4, 1, 2, 3])
    }

    @Test func firstItemComesBackToTheFront() throws {
        try notes.remove(id: 1)
        try others.load()
        try others.insert(OtherNote(id: 9, title: ""), at: 0)
        try notes.undo()
        #expect(notes.items.map(\.id) == [1, 9, 2, 3, 4])
    }
}
