import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct ComparableTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(at: sandbox.url, index: "notes.json")
    }

    @Test func insertKeepsTheOrder() throws {
        for note in [Note.milk, .salt, .eggs] { try notes.insert(note) }
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func asyncInsertKeepsTheOrder() async throws {
        for note in [Note.milk, .salt, .eggs] { try await notes.insert(note) }
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func equalItemsKeepTheOrderOfTheirInsertion() throws {
        for id in [3, 1, 2] { try notes.insert(Note(id: id, title: "Milk")) }
        try notes.insert(Note(id: 4, title: "Eggs"))
        #expect(notes.items.map(\.id) == [4, 3, 1, 2])
    }

    @Test func insertWithATakenIDIsAnError() throws {
        try notes.insert(.milk)
        expectError(.duplicateID) { try notes.insert(Note(id: 2, title: "Ham")) }
        #expect(Array(notes.items) == [.milk])
    }

    @Test func insertionInRandomOrderSortsStably() throws {
        var random = SeededGenerator()
        for _ in 0..<20 {
            let titles = ["a", "b", "c", "d", "e"]
            let all = (0..<Int.random(in: 0...40, using: &random)).map { id in
                Note(id: id, title: titles.randomElement(using: &random) ?? "")
            }
            try notes.write { draft in
                for note in draft.items { try draft.remove(id: note.id) }
                for note in all { try draft.insert(note) }
            }
            let sorted = all.enumerated()
                .sorted { ($0.element.title, $0.offset) < ($1.element.title, $1.offset) }
                .map(\.element)
            #expect(Array(notes.items) == sorted, "\(random)")
        }
    }
}
