import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct CollectionTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(at: sandbox.url, index: "notes.json")
    }

    /// Every change has a synchronous and an asynchronous form.
    enum Form: CaseIterable { case sync, async }

    /// Valid changes of `[eggs, milk, salt]`.
    static let changes: [Edit] = [
        .append(Note(id: 4, title: "Tea")),
        .appendAll([Note(id: 5, title: "Jam"), Note(id: 4, title: "Tea")]), .appendAll([]),
        .insert(Note(id: 4, title: "Tea"), at: 0), .insert(Note(id: 4, title: "Tea"), at: 1),
        .insert(Note(id: 4, title: "Tea"), at: 3), .update(Note(id: 2, title: "Oat milk")),
        .retitle(id: 3, "Sea salt"), .remove(id: 1), .remove(id: 2), .remove(id: 3),
        .move([0], to: 3), .move([2], to: 0), .move([0, 2], to: 1), .move([1], to: 1),
        .move([0, 1], to: 3), .move([], to: 2),
    ]

    /// Invalid changes of `[eggs, milk, salt]`.
    static let invalidChanges: [Edit] = [
        .append(Note(id: 1, title: "Tea")), .insert(Note(id: 3, title: "Tea"), at: 0),
        .appendAll([Note(id: 4, title: "Tea"), .milk]),
        .appendAll([Note(id: 4, title: "Tea"), Note(id: 4, title: "Tea")]),
        .insert(Note(id: 4, title: "Tea"), at: -1), .insert(Note(id: 4, title: "Tea"), at: 4),
        .update(Note(id: 4, title: "Tea")), .retitle(id: 4, "Tea"), .remove(id: 4),
        .move([3], to: 0), .move([0], to: 4), .move([0], to: -1),
    ]

    @Test(arguments: changes, Form.allCases)
    func changeIsInMemoryAndOnDisk(_ change: Edit, _ form: Form) async throws {
        try notes.applyNow(.appendAll([.eggs, .milk, .salt]))
        let before = notes.items
        switch form {
        case .sync: try notes.applyNow(change)
        case .async: try await change.apply(to: notes)
        }
        let expected = try change.applied(to: [.eggs, .milk, .salt]).get()
        #expect(Array(notes.items) == expected)
        #expect(try sandbox.notesOnDisk() == expected)
        #expect(Array(before) == [.eggs, .milk, .salt])
    }

    @Test(arguments: invalidChanges, Form.allCases)
    func invalidChangeIsAnErrorAndChangesNothing(_ change: Edit, _ form: Form) async throws {
        try notes.applyNow(.appendAll([.eggs, .milk, .salt]))
        let bytes = try sandbox.text("notes.json")
        guard case .failure(let refusal) = change.applied(to: [.eggs, .milk, .salt]) else {
            Issue.record("the model allows \(change)")
            return
        }
        switch form {
        case .sync: expectError(refusal.code) { try notes.applyNow(change) }
        case .async: await expectError(refusal.code) { try await change.apply(to: notes) }
        }
        #expect(Array(notes.items) == [.eggs, .milk, .salt])
        #expect(try sandbox.text("notes.json") == bytes)
    }

    @Test func updateCannotChangeAnID() throws {
        try notes.append(contentsOf: [.eggs, .milk])
        expectError(.duplicateID) { try notes.update(id: 1) { $0.id = 3 } }
        #expect(Array(notes.items) == [.eggs, .milk])
    }

    @Test func itemsAreFoundByID() throws {
        try notes.append(contentsOf: [.eggs, .milk, .salt])
        try notes.remove(id: 1)
        #expect(notes[id: 3] == .salt)
        #expect(notes[id: 1] == nil)
        #expect(notes.items.index(of: 3) == 1)
        #expect(notes.count == 2)
        #expect(!notes.isEmpty)
    }

    @Test func indexHasOneLineForEachItem() throws {
        try notes.append(contentsOf: [.eggs, .milk])
        #expect(
            try sandbox.text("notes.json") == """
                [
                {"id":1,"title":"Eggs"},
                {"id":2,"title":"Milk"}
                ]

                """)
        try notes.remove(id: 1)
        try notes.remove(id: 2)
        #expect(try sandbox.text("notes.json") == "[]\n")
    }

    @Test func emptyChangeWritesNothing() throws {
        try notes.append(contentsOf: [.eggs, .milk])
        let before = try #require(sandbox.status("notes.json"))
        try notes.write { _ in }
        try notes.append(contentsOf: [])
        try notes.move(fromOffsets: [1], toOffset: 2)
        #expect(sandbox.status("notes.json") == before)
    }

    @Test(arguments: ["notes", ".notes.json", "a/notes.json", "..", "", ".json", "a\0.json", "//é"])
    func invalidIndexNameIsRefused(_ name: String) {
        expectError(.invalidLocation) {
            try Directory<Note>(at: sandbox.url, index: name)
        }
    }

    @Test func urlThatIsNotAFileURLIsRefused() throws {
        let url = try #require(URL(string: "https://example.com/notes"))
        expectError(.invalidLocation) { try Directory<Note>(at: url, index: "notes.json") }
    }
}

extension Directory<Note> {
    /// Applies the synchronous form of a change, also in an asynchronous context.
    func applyNow(_ change: Edit) throws { try change.apply(to: self) }
}
