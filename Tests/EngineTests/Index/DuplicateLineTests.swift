import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Changes of an index that has damaged lines: what memory holds is what the next process reads.
struct DuplicateLineTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(_ lines: [String]) throws -> Directory<Note> {
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try notes.load()
        return notes
    }

    private func line(_ id: Int, _ title: String) -> String {
        #"{"id":\#(id),"title":"\#(title)"}"#
    }

    @Test func staleDuplicateGoesWithItsItem() throws {
        let notes = try notes([line(1, "Eggs"), line(2, "Milk"), line(1, "Stale")])
        try notes.remove(id: 1)
        #expect(notes.damagedItems.isEmpty)
        try notes.append(Note(id: 1, title: "New"))
        #expect(try sandbox.notesOnDisk() == [.milk, Note(id: 1, title: "New")])
    }

    @Test func duplicateStaysBehindAnItemThatMoves() throws {
        let notes = try notes([
            line(1, "Eggs"), line(2, "Milk"), line(1, "Stale"), line(3, "Salt"),
        ])
        try notes.move(fromOffsets: [0], toOffset: 3)
        #expect(try sandbox.notesOnDisk() == [.milk, .salt, .eggs])
        #expect(notes.damagedItems.map(\.json) == [line(1, "Stale")])
    }

    @Test func duplicateStaysBehindItsItemIfAnotherItemMoves() throws {
        let notes = try notes([line(1, "Eggs"), line(2, "Milk"), line(1, "Stale")])
        try notes.move(fromOffsets: [1], toOffset: 0)
        #expect(try sandbox.notesOnDisk() == [.milk, .eggs])
    }

    @Test func lastItemBesideADamagedLineCannotBeRemoved() throws {
        let damaged = #"{"title":"No id"}"#
        let notes = try notes([line(1, "Eggs"), damaged])
        let text = try sandbox.text("notes.json")
        expectError(.undecodable) { try notes.remove(id: 1) }
        #expect(Array(notes.items) == [.eggs])
        #expect(try sandbox.text("notes.json") == text)
        #expect(try sandbox.notesOnDisk() == [.eggs])
        try notes.write { draft in
            try draft.remove(id: 1)
            try draft.append(.milk)
        }
        try notes.repair()
        try notes.remove(id: 2)
        #expect(try sandbox.notesOnDisk() == [])
    }

    @Test func lastItemBesideADamagedLineCannotBeTransferred() throws {
        try sandbox.write(#"[{"id":1,"folderName":"One"},{"x":1}]"#, to: "a/boxes.json")
        try sandbox.write("[]", to: "a/One/notes.json")
        let (boxes, other) = try (sandbox.boxes("a"), sandbox.boxes("b"))
        expectError(.undecodable) { try boxes.transfer([1], to: other) }
        #expect(boxes.count == 1 && other.isEmpty)
        #expect(sandbox.exists("a/One/notes.json"))
        #expect(try sandbox.leftovers().isEmpty)
        try boxes.repair()
        try boxes.transfer([1], to: other)
        #expect(sandbox.exists("b/One/notes.json"))
    }

    @Test func nextProcessReadsWhatMemoryHolds() throws {
        var random = SeededGenerator()
        var commits = 0
        for round in 0..<TestSize.choose(sample: 15, gate: 600, full: 6_000) {
            let disk = try NotesDisk()
            try disk.write(Array(randomIndex(&random).utf8), to: "notes.json")
            let notes = try disk.notes(on: ProcessFileSystem(disk.disk), threshold: 1 << 16)
            guard (try? notes.load()) != nil else { continue }
            for step in 0..<6 {
                var edits: [Edit] = []
                do {
                    try notes.write { draft in
                        for _ in 0..<Int.random(in: 1...3, using: &random) {
                            edits.append(.random(of: Array(draft.items), by: &random))
                            try? edits[edits.count - 1].apply(to: &draft)
                        }
                    }
                    commits += 1
                } catch let error as DirectoryError {
                    #expect(error.code == .undecodable, "\(random), round \(round): \(error)")
                }
                let other = try disk.notes(on: ProcessFileSystem(disk.disk), threshold: 1 << 16)
                try other.load()
                let place: Comment = "\(random), round \(round), step \(step): \(edits)"
                #expect(Array(other.items) == Array(notes.items), place)
                #expect(other.damagedItems == notes.damagedItems, place)
            }
        }
        #expect(commits > TestSize.choose(sample: 15, gate: 500, full: 500))
    }

    /// An index with items, duplicates, and elements that cannot be decoded.
    private func randomIndex(_ random: inout SeededGenerator) -> String {
        let lines = (0..<Int.random(in: 1...9, using: &random)).map { number in
            Int.random(in: 0..<4, using: &random) == 0
                ? "{\"x\":\(number)}"
                : line(Int.random(in: 0..<5, using: &random), "Line \(number)")
        }
        return "[\n\(lines.joined(separator: ",\n"))\n]\n"
    }
}
