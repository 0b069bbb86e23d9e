import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Changes of many items in one commit; `Edit` compares them with an array.
struct BulkTests {
    private let disk: NotesDisk
    private let process: ProcessFileSystem
    private let notes: Directory<Note>

    init() throws {
        disk = try NotesDisk()
        process = ProcessFileSystem(disk.disk)
        notes = try disk.notes(on: process)
        try notes.append(contentsOf: [.salt, .milk, .eggs])
    }

    @Test func removeOfAMissingIDRemovesNothing() throws {
        expectError(.itemNotFound) { try notes.remove(ids: [1, 9, 2]) }
        #expect(try disk.read() == [.salt, .milk, .eggs])
    }

    @Test func removeOfAMissingIDLeavesTheDraftAsItWas() throws {
        try notes.write { draft in
            #expect(throws: DirectoryError.self) { try draft.remove(ids: [1, 9]) }
            #expect(draft.items.count == 3)
        }
    }

    @Test func idThatComesTwiceIsRemovedOnce() throws {
        try notes.remove(ids: [1, 3, 1])
        #expect(try disk.read() == [.milk])
        #expect(try disk.journal.records.count == 1)
    }

    @Test func conditionThatThrowsRemovesNothing() throws {
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try notes.removeAll { note in
                if note == .eggs { throw Refused() }
                return true
            }
        }
        try notes.write { draft in
            _ = #expect(throws: Refused.self) { try draft.removeAll { _ in throw Refused() } }
        }
        #expect(try disk.read() == [.salt, .milk, .eggs])
    }

    @Test func sortOfSortedItemsWritesNothing() throws {
        try notes.sort()
        let start = process.log.count
        let changes = notes.changes
        try notes.sort()
        try notes.sort(using: KeyPathComparator(\.title))
        #expect(!process.log[start...].contains { $0.hasPrefix("write") || $0.hasPrefix("sync") })
        withExtendedLifetime(changes) {}
    }

    @Test func sortByAComparatorKeepsEqualItemsInTheirOrder() throws {
        try notes.write { draft in
            draft.removeAll { _ in true }
            for (id, title) in [(5, "b"), (4, "a"), (3, "b"), (2, "a"), (1, "b")] {
                try draft.append(Note(id: id, title: title))
            }
        }
        try notes.sort(using: KeyPathComparator(\.title, order: .reverse))
        #expect(try disk.read().map(\.id) == [5, 3, 1, 4, 2])
    }

    @Test func oneItemOutOfOrderIsTheOnlyOneThatASortMoves() throws {
        try notes.sort()
        try notes.append(contentsOf: (10..<100).map { Note(id: $0, title: "Z\($0)") })
        try notes.append(Note(id: 100, title: "A"))
        try notes.sort()
        let record = try #require(try disk.journal.records.last)
        #expect(RecordedChanges([record]).operations.count == 2)
        #expect(try disk.read().first?.title == "A")
    }

    @Test func sortIsAChangeOfTheOrderAlone() async throws {
        let changes = notes.changes
        try await notes.sort()
        let change = try #require(await changes.first(1).first)
        #expect(change.isReordered)
        #expect(change.inserted.isEmpty && change.updated.isEmpty && change.removed.isEmpty)
    }

    @Test func sortOfManyItemsIsWrittenIntoTheIndex() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process, threshold: 1 << 16)
        var random = SeededGenerator(seed: 1)
        let count = TestSize.choose(sample: 2_500, gate: 20_000, full: 20_000)
        let all = (0..<count).map { Note(id: $0, title: "Title \($0)") }
        try notes.append(contentsOf: all.shuffled(using: &random))
        let index = try #require(try disk.bytes("notes.json"))
        try notes.sort(using: KeyPathComparator(\.id))
        #expect(try disk.bytes(".notes.journal") == nil)
        #expect(try disk.bytes("notes.json")?.count == index.count)
        #expect(try disk.read() == all)
        #expect(notes.items.index(of: 17) == 17)
    }

    @Test func asFewElementsAsPossibleAreOutOfOrder() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let numbers = Array(0..<Int.random(in: 0...8, using: &random)).shuffled(using: &random)
            let moved = numbers.outOfOrder
            let rest = numbers.filter { !moved.contains($0) }
            #expect(rest == rest.sorted(), "\(random)")
            let longest = (0..<(1 << numbers.count)).filter { choice in
                let chosen = numbers.indices.filter { choice >> $0 & 1 == 1 }.map { numbers[$0] }
                return chosen == chosen.sorted()
            }.map(\.nonzeroBitCount).max()
            #expect(rest.count == longest, "\(random): \(numbers)")
        }
    }
}
