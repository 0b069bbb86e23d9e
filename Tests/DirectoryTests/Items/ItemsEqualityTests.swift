import DirectoryTestSupport
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

struct ItemsEqualityTests {
    typealias Items = Directory<Weighed>.Items

    /// An item that counts how often it is compared.
    struct Weighed: Codable, Identifiable, Equatable, Sendable {
        @TaskLocal static var comparisons: Comparisons?
        var id: Int
        var weight = 0

        static func == (left: Self, right: Self) -> Bool {
            comparisons?.count.add(1, ordering: .relaxed)
            return left.id == right.id && left.weight == right.weight
        }
    }

    final class Comparisons: Sendable {
        let count = Atomic(0)
    }

    private func build(_ count: Int) -> Items {
        Items(of: (0..<count).map { Weighed(id: $0) })
    }

    /// The result of a comparison, and how many items it looked at.
    private func compare(_ left: Items, _ right: Items) -> (isEqual: Bool, count: Int) {
        let comparisons = Comparisons()
        let isEqual = Weighed.$comparisons.withValue(comparisons) { left == right }
        return (isEqual, comparisons.count.load(ordering: .relaxed))
    }

    @Test func itemsAreEqualIfTheirElementsAre() {
        let items = build(5_000)
        #expect(compare(items, items) == (true, 0))
        #expect(items == build(5_000))
        #expect(items != build(4_999))
        #expect(Items() == Items())
    }

    @Test func itemsAreEncodedAsAnArray() throws {
        struct Report: Encodable { var items: Directory<Note>.Items }
        let volume = MemoryVolume(at: URL(filePath: "/report"))
        let notes = try Directory<Note>(at: volume.url, index: "notes.json")
        try notes.append(contentsOf: [.eggs, .milk])
        let json = try JSONEncoder().encode(Report(items: notes.items))
        let read = try JSONDecoder().decode([String: [Note]].self, from: json)
        #expect(read == ["items": [.eggs, .milk]])
    }

    private func replace(in items: inout Items, by item: Weighed) {
        items.elements.replace(at: item.id, with: ItemElement(item: item, line: []))
    }

    @Test func sharedPartsAreNotCompared() {
        let items = build(5_000)
        var other = items
        replace(in: &other, by: Weighed(id: 4_000))
        let equal = compare(items, other)
        #expect(equal.isEqual && equal.count < 100)
        replace(in: &other, by: Weighed(id: 4_000, weight: 1))
        let unequal = compare(items, other)
        #expect(!unequal.isEqual && unequal.count < 100)
    }

    @Test func equalItemsInTreesOfOtherShapesAreEqual() {
        var random = SeededGenerator()
        for count in [1, 31, 33, 70, 1_500] {
            let items = build(count)
            var other = items
            for _ in 0..<200 {
                let position = Int.random(in: 0..<other.count, using: &random)
                let element = other.elements.remove(at: position)
                #expect(items != other)
                other.elements.insert(element, at: position)
            }
            #expect(items == other, "\(random)")
            #expect(Array(items) == Array(other), "\(random)")
            other.elements.move([0], to: count)
            #expect((items == other) == (count == 1))
        }
    }
}
