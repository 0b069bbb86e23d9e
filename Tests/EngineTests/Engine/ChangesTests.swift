import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ChangesTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(at: sandbox.url, index: "notes.json")
    }

    @Test func streamReportsEveryChangeInOrder() async throws {
        let notes = try notes()
        var stream = notes.changes.makeAsyncIterator()
        let edits: [Edit] = [
            .appendAll([.eggs, .milk]), .update(Note(id: 1, title: "Ham")), .move([0], to: 2),
            .remove(id: 2),
        ]
        var changes: [Directory<Note>.Change] = []
        for edit in edits {
            let before = notes.items
            try await edit.apply(to: notes)
            changes.append(try #require(await stream.next()))
            #expect(changes.last?.before == before && changes.last?.after == notes.items)
        }
        #expect(changes.map(\.inserted) == [[1, 2], [], [], []])
        #expect(changes.allSatisfy { $0.origin == .here })
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
        #expect(change.origin == .otherProcess)
        #expect(change.after.map(\.id) == [3, 2, 8])
    }

    @Test func changeIsVisibleWhenTheStreamReportsIt() async throws {
        let notes = try notes()
        let stream = notes.changes
        let reader = Task { await stream.first(1).map { _ in notes.items.map(\.id) } }
        try await notes.append(.eggs)
        #expect(await reader.value == [[1]])
    }

    @Test func idsAreInTheOrderOfTheCollection() async throws {
        let notes = try notes()
        try await notes.append(contentsOf: (0..<50).map { Note($0) })
        let changes = notes.changes
        try await notes.write { draft in
            for id in [30, 7, 41, 2] { try draft.remove(id: id) }
            for id in [40, 3, 20] { try draft.update(Note(id: id, title: "New")) }
            for id in [60, 61, 62] { try draft.insert(Note(id), at: 0) }
        }
        let change = try #require(await changes.first(1).first)
        #expect(change.removed == [2, 7, 30, 41])
        #expect(change.updated == [3, 20, 40])
        #expect(change.inserted == [62, 61, 60])
    }

    @Test func everyIteratorGetsEveryChangeSinceTheStreamWasAskedFor() async throws {
        let notes = try notes()
        try await notes.append(.eggs)
        let stream = notes.changes
        #expect(Array(stream.items) == [.eggs])
        try await notes.append(.milk)
        var first = stream.makeAsyncIterator()
        #expect(await first.next()?.inserted == [2])
        try await notes.append(.salt)
        var second = stream.makeAsyncIterator()
        #expect(await first.next()?.inserted == [3])
        #expect(await second.next()?.inserted == [2, 3])
        try await notes.close()
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
    }

    @Test func updateThatLeavesTheJSONAsItIsIsNoChange() async throws {
        let notes = try notes()
        try await notes.append(contentsOf: [.eggs, .milk])
        let changes = notes.changes
        let bytes = try sandbox.tree()
        try await notes.update(.eggs)
        #expect(try sandbox.tree() == bytes)
        try await notes.write { draft in
            try draft.update(.eggs)
            try draft.update(Note(id: 2, title: "Oat milk"))
        }
        #expect(await changes.first(1).map(\.updated) == [[2]])
    }

    @Test func closeEndsTheStreamAfterItsLastChange() async throws {
        let notes = try notes()
        let stream = notes.changes
        let waiting = Task { await notes.changes.first(.max).flatMap(\.inserted) }
        try await notes.append(.eggs)
        try await notes.close()
        #expect(await stream.first(.max).map(\.inserted) == [[1]])
        #expect(await [[], [1]].contains(waiting.value))
        #expect(await notes.changes.first(.max).isEmpty)
    }

    @Test func cancelledTaskGetsNoMoreChanges() async throws {
        let notes = try notes()
        let stream = notes.changes
        let task = Task { await stream.first(.max).count }
        task.cancel()
        #expect(await task.value == 0)
        try await notes.append(.eggs)
        #expect(await stream.first(1).count == 1)
    }

    @Test func streamEndsWhenTheCollectionIsReleased() async throws {
        var notes: Directory<Note>? = try notes()
        let stream = try #require(notes?.changes)
        try await notes?.append(.eggs)
        notes = nil
        #expect(await stream.first(.max).count == 1)
    }
}
