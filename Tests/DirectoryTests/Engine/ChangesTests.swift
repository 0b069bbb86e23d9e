import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ChangesTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(at: sandbox.url, index: "notes.json")
    }

    @Test func streamReportsEveryChangeInOrder() async throws {
        let notes = try notes()
        let stream = notes.changes
        let edits: [Edit] = [
            .appendAll([.eggs, .milk]), .update(Note(id: 1, title: "Ham")), .move([0], to: 2),
            .remove(id: 2),
        ]
        for edit in edits { try await edit.apply(to: notes) }
        let changes = await stream.first(4)
        #expect(changes.map(\.inserted) == [[1, 2], [], [], []] || changes[0].inserted == [2, 1])
        #expect(changes.map(\.updated) == [[], [1], [], []])
        #expect(changes.map(\.isReordered) == [false, false, true, false])
        #expect(changes.map(\.removed) == [[], [], [], [2]])
    }

    @Test func everyStreamReportsEveryChange() async throws {
        let notes = try notes()
        let streams = [notes.changes, try self.notes().changes]
        try await notes.append(.eggs)
        for stream in streams {
            #expect(await stream.first(1).map(\.inserted) == [[1]])
        }
    }

    @Test func streamReportsChangesThatALoadReads() async throws {
        let notes = try notes()
        try await notes.append(contentsOf: [.eggs, .milk, .salt])
        let stream = notes.changes
        let other = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
        try await other.write { draft in
            try draft.update(id: 2) { $0.title = "Ham" }
            try draft.remove(id: 1)
            try draft.append(.rice)
            try draft.move(fromOffsets: [1], toOffset: 0)
        }
        try await notes.load()
        let change = try #require(await stream.first(1).first)
        #expect(change.inserted == [8])
        #expect(change.updated == [2])
        #expect(change.removed == [1])
        #expect(change.isReordered)
    }

    @Test func changeIsVisibleWhenTheStreamReportsIt() async throws {
        let notes = try notes()
        let stream = notes.changes
        let reader = Task { await stream.first(1).map { _ in notes.items.map(\.id) } }
        try await notes.append(.eggs)
        #expect(await reader.value == [[1]])
    }

    @Test func streamEndsWhenTheCollectionIsReleased() async throws {
        var notes: Directory<Note>? = try notes()
        let stream = try #require(notes?.changes)
        try await notes?.append(.eggs)
        notes = nil
        #expect(await stream.first(.max).count == 1)
    }
}
