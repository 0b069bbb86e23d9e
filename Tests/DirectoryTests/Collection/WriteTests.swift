import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct WriteTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(at: sandbox.url, index: "notes.json")
        try notes.append(contentsOf: [.eggs, .milk])
    }

    struct Interruption: Error {}

    @Test func changesOfAWriteAreVisibleInItsDraftOnly() throws {
        let seen = try notes.write { draft in
            try draft.append(.salt)
            try draft.remove(id: 1)
            #expect(Array(notes.items) == [.eggs, .milk])
            return Array(draft.items)
        }
        #expect(seen == [.milk, .salt])
        #expect(Array(notes.items) == seen)
    }

    @Test func writeThatThrowsChangesNothing() async throws {
        let bytes = try sandbox.text("notes.json")
        #expect(throws: Interruption.self) { try interruptedWrite() }
        await #expect(throws: Interruption.self) {
            try await notes.write { draft in
                try draft.append(.salt)
                throw Interruption()
            }
        }
        #expect(throws: Interruption.self) { try interruptedUpdate() }
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(try sandbox.text("notes.json") == bytes)
    }

    private func interruptedWrite() throws {
        try notes.write { draft in
            try draft.append(.salt)
            try draft.remove(id: 1)
            throw Interruption()
        }
    }

    private func interruptedUpdate() throws {
        try notes.update(id: 1) { note in
            note.title = "Ham"
            throw Interruption()
        }
    }

    @Test func writeAfterAFailedWriteSucceeds() throws {
        #expect(throws: Interruption.self) { try interruptedWrite() }
        try notes.append(.salt)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func writeInsideAWriteIsAnError() throws {
        let others = try Directory<OtherNote>(at: sandbox.url, index: "others.json")
        let twins = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
        try notes.write { draft in
            try draft.append(.salt)
            expectError(.nestedWrite) { try notes.append(Note(id: 4, title: "Tea")) }
            expectError(.nestedWrite) { try others.append(.rice) }
            expectError(.nestedWrite) { try twins.append(.rice) }
        }
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
        #expect(others.isEmpty)
        try others.append(.rice)
        #expect(others.count == 1)
    }

    @Test func writeInsideAnAsyncWriteIsAnError() async throws {
        let notes = notes
        try await notes.write { draft in
            try draft.append(.salt)
            expectError(.nestedWrite) { try notes.append(Note(id: 4, title: "Tea")) }
        }
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func loadInsideAWriteIsAnError() throws {
        try notes.write { draft in
            try draft.append(.salt)
            expectError(.nestedWrite) { try notes.load() }
            expectError(.nestedWrite) { try notes.verify() }
        }
        #expect(notes.phase == .loaded)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func childOfAnItemInADraftIsAnError() throws {
        let projects = try Directory<Project>(at: sandbox.url, index: "projects.json")
        let project = Project(title: "Apollo")
        try projects.write { draft in
            try draft.append(project)
            expectError(.nestedWrite) { try projects.child(.notes, of: project.id) }
        }
        #expect(try projects.child(.notes, of: project.id).isEmpty)
    }

    @Test func otherCollectionCanBeReadInsideAWrite() throws {
        try Directory<OtherNote>(at: sandbox.url, index: "others.json").append(.rice)
        let others = try Directory<Note>(at: sandbox.url, index: "others.json")
        try notes.write { draft in
            try others.load()
            try draft.append(contentsOf: others.items)
        }
        #expect(try sandbox.notesOnDisk().map(\.id) == [1, 2, 8])
    }

    @Test func unencodableItemIsAnErrorAndChangesNothing() throws {
        let weights = try Directory<Weight>(at: sandbox.url, index: "weights.json")
        try weights.append(Weight(id: 1, grams: 5))
        let bytes = try sandbox.text("weights.json")
        expectError(.unencodable) { try weights.append(Weight(id: 2, grams: .nan)) }
        #expect(weights.count == 1)
        #expect(try sandbox.text("weights.json") == bytes)
    }

    @Test func itemRemovedAndInsertedInOneWriteIsUpdated() async throws {
        var changes = notes.changes.makeAsyncIterator()
        try replace(.eggs, with: Note(id: 1, title: "Ham"), at: 0)
        let first = try #require(await changes.next())
        #expect(first.updated == [1] && !first.isReordered)
        try replace(.eggs, with: .eggs, at: 1)
        let second = try #require(await changes.next())
        #expect(second.updated == [1] && second.isReordered)
        #expect(try sandbox.notesOnDisk() == [.milk, .eggs])
    }

    private func replace(_ note: Note, with other: Note, at index: Int) throws {
        try notes.write { draft in
            try draft.remove(id: note.id)
            try draft.insert(other, at: index)
        }
    }

    struct Weight: Codable, Identifiable, Sendable {
        var id: Int
        var grams: Double
    }
}
