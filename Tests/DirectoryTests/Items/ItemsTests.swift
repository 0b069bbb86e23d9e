import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

struct ItemsTests {
    typealias Items = Directory<Note>.Items

    private func items(_ count: Int) -> Items {
        Items(of: (0..<count).map(Note.init))
    }

    @Test(arguments: [
        0, 1, 31, 32, 33, 1_000, 1_025,
        TestSize.choose(sample: 10_000, gate: 100_000, full: 100_000),
    ])
    func buildingKeepsTheOrder(count: Int) {
        let items = items(count)
        items.expectInvariants()
        #expect(items.elementsEqual((0..<count).map(Note.init)))
        #expect(items.count == count)
        for position in stride(from: 0, to: count, by: 97) {
            #expect(items[position] == Note(position))
            #expect(items.index(of: position) == position)
            #expect(items[id: position] == Note(position))
        }
        #expect(!items.contains(id: count))
    }

    @Test func buildingKeepsTheFirstOfEachID() {
        let all = [1, 2, 1, 3, 2, 2, 4].enumerated().map { title, id in
            ItemElement(item: Note(id: id, title: "\(title)"), line: [])
        }
        let (elements, duplicates) = Elements.build(all)
        let items = Items(elements)
        items.expectInvariants()
        #expect(duplicates == [2, 4, 5])
        #expect(items.map(\.title) == ["0", "1", "3", "6"])
    }

    @Test func isACollection() {
        let items = items(300)
        let model = (0..<300).map(Note.init)
        #expect(items.startIndex == 0 && items.endIndex == 300)
        #expect(items.index(10, offsetBy: 7) == 17)
        #expect(items.index(290, offsetBy: 20, limitedBy: items.endIndex) == nil)
        #expect(items.distance(from: 250, to: 40) == -210)
        #expect(items[40..<250].elementsEqual(model[40..<250]))
        #expect(items.dropFirst(33).prefix(64).elementsEqual(model[33..<97]))
        #expect(items.reversed().elementsEqual(model.reversed()))
        #expect(items.indices.elementsEqual(model.indices))
        #expect(Array(items) == model)
        #expect(items.first == model.first && items.last == model.last)
        #expect(items.lastIndex { $0.id % 7 == 0 } == 294)
        #expect(Items().isEmpty && Items().first == nil && Array(Items()).isEmpty)
        var (one, two) = (items.makeIterator(), items.makeIterator())
        _ = one.next()
        #expect(one.next() == Note(1) && two.next() == Note(0))
    }

    @Test func finishedIteratorStaysFinished() {
        var iterator = items(1).makeIterator()
        #expect(iterator.next() != nil)
        #expect(iterator.next() == nil)
        #expect(iterator.next() == nil)
    }

    @Test func scatteredOffsetsMoveAsInAnArray() {
        var items = items(200)
        var model = (0..<200).map(Note.init)
        for (offsets, destination) in [
            ([0, 50, 51, 199], 100), ([7], 0), ([3, 4, 5], 200), ([10, 20, 30], 20), ([], 7),
            (Array(0..<200), 80), (Array(stride(from: 0, to: 200, by: 2)), 33),
        ] {
            items.elements.move(offsets, to: destination)
            model.move(offsets, to: destination)
            items.expectInvariants()
            #expect(items.elementsEqual(model))
        }
    }
}

extension ItemsTests {
    /// Where many items are inserted, one after the other, until no label is free there.
    enum InsertionPoint: CaseIterable {
        case front, afterTheFirst, middle, afterThePrevious, beforeTheLast, end
    }

    @Test(arguments: Sweep.cases(InsertionPoint.allCases, sample: 2))
    func labelsNeverRunOut(at point: InsertionPoint) {
        var items = items(3_000)
        var model = (0..<3_000).map(Note.init)
        for number in 3_000..<5_000 {
            let position =
                switch point {
                case .front: 0
                case .afterTheFirst: 1
                case .middle: 1_500
                case .afterThePrevious: number - 1_500
                case .beforeTheLast: model.count - 1
                case .end: model.count
                }
            items.elements.insert(ItemElement(number), at: position)
            model.insert(Note(number), at: position)
            if number.isMultiple(of: 251) { items.expectInvariants() }
        }
        items.expectInvariants()
        #expect(items.elementsEqual(model))
    }

    @Test func labelsDoNotOverflowAtTheEndsOfTheirRange() {
        for (lower, upper) in [(nil, 0), (nil, 5), (.max, nil), (.max - 5, nil), (8, 9)]
            as [(UInt64?, UInt64?)]
        {
            #expect(LabelGap(lower: lower, upper: upper).labels(6) == nil)
        }
        for (lower, upper) in [(nil, 6), (.max - 6, nil), (8, 15)] as [(UInt64?, UInt64?)] {
            let labels = LabelGap(lower: lower, upper: upper).labels(6)
            #expect(labels?.step == 1)
            #expect(labels.map { $0.first + 5 } ?? 0 <= upper ?? .max)
        }
        let widest: UInt64 = (1 << 24) - 1
        #expect(LabelGap(lower: nil, upper: nil).labels(1 << 40)?.step == widest)
    }

    @Test func manyItemsFitBetweenTwo() {
        var items = items(100)
        for number in 100..<140 { items.elements.insert(ItemElement(number), at: 50) }
        let count = TestSize.choose(sample: 5_000, gate: 50_000, full: 50_000)
        let ids = Array(1_000..<1_000 + count)
        items.elements.insert(ids.map(ItemElement.init), at: 60)
        items.expectInvariants()
        #expect(items[60..<60 + count].map(\.id) == ids)
        #expect(items.count == 140 + count)
    }
}

extension ItemElement<Note> {
    convenience init(_ id: Int) {
        self.init(item: Note(id), line: [])
    }
}
