import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

struct ChangeModelTests {
    /// The differences between two collections, found by comparing all items.
    struct Expected: Equatable {
        var inserted: Set<Int>
        var updated: Set<Int>
        var removed: Set<Int>
        var isReordered: Bool

        init(from old: [Note], to new: [Note]) {
            let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
            let kept = Set(oldIDs).intersection(newIDs)
            inserted = Set(newIDs).subtracting(oldIDs)
            removed = Set(oldIDs).subtracting(newIDs)
            updated = kept.intersection(Set(new).subtracting(old).map(\.id))
            isReordered = oldIDs.filter(kept.contains) != newIDs.filter(kept.contains)
        }

        init(_ change: Directory<Note>.Change) {
            inserted = Set(change.inserted)
            updated = Set(change.updated)
            removed = Set(change.removed)
            isReordered = change.isReordered
        }
    }

    /// Makes a random change.
    private func change(_ draft: inout Directory<Note>.Draft, with random: inout SeededGenerator)
        throws
    {
        let count = draft.items.count
        let position = Int.random(in: 0..<count, using: &random)
        let item = draft.items[position]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try draft.append(Note(Int.random(in: 100..<1_000_000, using: &random)))
        case 1: try draft.update(Note(id: item.id, title: "Edition \(random.next())"))
        case 2 where count > 1: try draft.remove(id: item.id)
        case 3:
            try draft.remove(id: item.id)
            try draft.insert(
                Note(id: item.id, title: "Again"), at: Int.random(in: 0..<count, using: &random))
        default:
            let offsets = (0..<2).map { _ in Int.random(in: 0..<count, using: &random) }
            try draft.move(fromOffsets: IndexSet(offsets), toOffset: position)
        }
    }

    @Test func changeEqualsTheComparisonOfAllItems() throws {
        var random = SeededGenerator()
        var reordered = 0
        for _ in 0..<400 {
            let notes = (0..<Int.random(in: 1...12, using: &random)).map { Note($0) }
            let coding = ItemCoding<Note>(.init(), url: URL(filePath: "/notes.json"))
            let start = Elements.build(try coding.elements(of: notes)).elements
            let base = Directory<Note>.Items(start)
            var draft = Directory<Note>.Draft(
                base: ElementDraft(
                    Snapshot(start, names: LazyNames(of: start, coding)), coding))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                try change(&draft, with: &random)
            }
            let expected = Expected(from: notes, to: Array(draft.items))
            let read = Directory<Note>.Change(
                ElementChange(from: start, to: draft.base.elements))
            #expect(Expected(read) == expected, "\(random)")
            let made = Directory<Note>.Change(draft.base.change(from: start))
            #expect(Expected(made) == expected, "\(random)")
            for change in [read, made] {
                #expect(change.inserted == draft.items.ids.filter(expected.inserted.contains))
                #expect(change.updated == draft.items.ids.filter(expected.updated.contains))
                #expect(change.removed == base.ids.filter(expected.removed.contains))
                let difference = change.difference()
                #expect(base.ids.applying(difference) == draft.items.ids, "\(random)")
                let shortest = draft.items.ids.difference(from: base.ids)
                #expect(difference.count == shortest.count, "\(random)")
            }
            if expected.isReordered { reordered += 1 }
        }
        #expect((40..<360).contains(reordered), "\(random)")
    }
}
