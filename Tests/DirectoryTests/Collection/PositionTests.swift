import Directory
import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

/// Positions are those of the items that the collection showed when it was called.
struct PositionTests {
    let sandbox: Sandbox
    let notes: Directory<Note>
    /// What another process has open.
    let others: Directory<OtherNote>

    /// Shows 1, 2, 3, and then others insert 9 in front.
    init() throws {
        sandbox = try Sandbox()
        others = try Directory(at: sandbox.url, index: "notes.json")
        try others.append(contentsOf: (1...3).map { OtherNote(id: $0, title: "\($0)") })
        notes = try Directory(at: sandbox.url, index: "notes.json")
        try notes.load()
        try others.insert(OtherNote(id: 9, title: "9"), at: 0)
    }

    private var ids: [Int] { notes.items.map(\.id) }

    @Test func moveIsAboutTheItemsThatWereShown() throws {
        try notes.move(fromOffsets: [2], toOffset: 0)
        #expect(ids == [9, 3, 1, 2])
        try notes.move(fromOffsets: [0, 1], toOffset: 4)
        #expect(ids == [1, 2, 9, 3])
    }

    @Test func insertionIsBeforeTheItemThatWasShown() throws {
        try notes.insert(Note(id: 5, title: ""), at: 0)
        #expect(ids == [9, 5, 1, 2, 3])
        try notes.insert(Note(id: 6, title: ""), at: 5)
        #expect(ids == [9, 5, 1, 2, 3, 6])
    }

    @Test func asynchronousCallsAreAboutTheItemsThatWereShown() async throws {
        try await notes.move(from: [2], to: 0)
        #expect(ids == [9, 3, 1, 2])
        try await others.load()
        try await others.delete(at: [0])
        try await notes.insert(Note(id: 5, title: ""), at: 1)
        #expect(ids == [5, 3, 1, 2])
    }

    @Test func itemsThatOthersRemovedAreSaidToBeMissing() throws {
        try others.remove(id: 2)
        expectError(.itemNotFound) { try notes.move(fromOffsets: [1], toOffset: 0) }
        #expect(ids == [9, 1, 3])
        try others.remove(id: 1)
        expectError(.itemNotFound) { try notes.insert(Note(id: 5, title: ""), at: 1) }
        #expect(ids == [9, 3])
        try others.remove(id: 9)
        expectError(.itemNotFound) { try notes.delete(at: [0]) }
        #expect(ids == [3])
    }

    /// The items stay on the screen, and people tap on one of them once the index can be read again.
    @Test func positionsAreAboutTheItemsThatAreShownAfterALoadThatFailed() throws {
        let index = try sandbox.text("notes.json")
        try sandbox.write("[", to: "notes.json")
        expectError(.damagedIndex) { try notes.load() }
        #expect(ids == [1, 2, 3])
        try sandbox.write(index, to: "notes.json")
        try notes.delete(at: [2])
        #expect(ids == [9, 1, 2])
        try sandbox.write("[", to: "notes.json")
        expectError(.damagedIndex) { try notes.load() }
        try sandbox.write(index, to: "notes.json")
        try notes.move(fromOffsets: [2], toOffset: 0)
        #expect(ids == [2, 9, 1, 3])
    }

    @Test func positionsOutsideAreRefused() throws {
        expectError(.indexOutOfRange) { try notes.insert(Note(id: 5, title: ""), at: 4) }
        expectError(.indexOutOfRange) { try notes.insert(Note(id: 5, title: ""), at: -1) }
        expectError(.indexOutOfRange) { try notes.move(fromOffsets: [3], toOffset: 0) }
        expectError(.indexOutOfRange) { try notes.move(fromOffsets: [0], toOffset: 4) }
    }

    @Test func collectionThatWasNotLoadedIsLoadedFirst() throws {
        try others.close()
        try notes.close()
        let again = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try again.move(fromOffsets: [0], toOffset: 4)
        #expect(again.items.map(\.id) == [1, 2, 3, 9])
    }
}
