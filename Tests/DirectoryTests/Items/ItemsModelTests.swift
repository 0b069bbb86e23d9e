import TestSupport
import Testing

@testable import Directory

/// An item whose id can have the same hash as others.
struct Colliding: Codable, Identifiable, Hashable, Sendable {
    struct ID: Codable, Hashable, Sendable {
        var number: Int
        var hashCount: Int

        func hash(into hasher: inout Hasher) {
            hasher.combine(number % hashCount)
        }
    }

    var id: ID
    var value = 0
}

struct ItemsModelTests {
    typealias Items = Directory<Colliding>.Items

    /// A snapshot and an array that get the same random changes.
    struct Pair {
        var items: Items
        var model: [Colliding]
        var generator: SeededGenerator
        var nextNumber: Int
        let hashCount: Int

        init(count: Int, hashCount: Int, seed: UInt64) {
            self.hashCount = hashCount
            model = (0..<count).map { Colliding(id: .init(number: $0, hashCount: hashCount)) }
            items = Items(of: model)
            generator = SeededGenerator(seed: seed)
            nextNumber = count
        }

        mutating func change() {
            let count = model.count
            let position = Int.random(in: 0...count, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<2: insert(1, at: position)
            case 2: insert(1, at: count)
            case 3: insert(1, at: count / 3)
            case 4: insert(Int.random(in: 2...80, using: &generator), at: position)
            case 5: move(to: position)
            case 6: removeRun(from: position)
            case _ where position == count: break
            case 7:
                model[position].value += 1
                items.elements.replace(
                    at: position, with: ItemElement(item: model[position], line: [1]))
            default:
                remove(at: position)
            }
        }

        private mutating func insert(_ count: Int, at position: Int) {
            let new = (nextNumber..<(nextNumber + count)).map {
                Colliding(id: .init(number: $0, hashCount: hashCount))
            }
            nextNumber += count
            items.elements.insert(
                new.map { ItemElement(item: $0, line: []) }, at: position)
            model.insert(contentsOf: new, at: position)
        }

        private mutating func remove(at position: Int) {
            let removed = ItemElement<Colliding>.of(items.elements.remove(at: position))
            #expect(removed.item == model.remove(at: position))
        }

        private mutating func removeRun(from start: Int) {
            for _ in start..<min(start + 60, model.count) {
                remove(at: start)
            }
        }

        private mutating func move(to destination: Int) {
            let count = Int.random(in: 0...min(model.count, 20), using: &generator)
            let offsets = model.indices.shuffled(using: &generator).prefix(count).sorted()
            items.elements.move(offsets, to: destination)
            model.move(offsets, to: destination)
        }

        func expectEqual() {
            items.expectInvariants()
            #expect(items.elementsEqual(model))
            for (position, item) in model.enumerated() where position % 7 == 0 {
                #expect(items[position] == item)
                #expect(items[id: item.id] == item)
                #expect(items.index(of: item.id) == position)
            }
            #expect(!items.contains(id: .init(number: nextNumber, hashCount: hashCount)))
        }
    }

    @Test(
        arguments: Sweep.cases(
            [(0, Int.max), (40, 1), (300, 3), (700, .max), (1_500, 50)], sample: 2))
    func randomChangesMatchAnArray(count: Int, hashCount: Int) {
        let seed = SeededGenerator().seed
        print("seed \(seed), \(count) items, \(hashCount) hashes")
        var pair = Pair(count: count, hashCount: hashCount, seed: seed)
        var held: [(items: Items, model: [Colliding])] = []
        for step in 0..<TestSize.choose(sample: 100, gate: 500, full: 12_000) {
            pair.change()
            pair.items.expectInvariants()
            if step % 20 == 0 {
                pair.expectEqual()
                held.append((pair.items, pair.model))
            }
        }
        for snapshot in held {
            snapshot.items.expectInvariants()
            #expect(snapshot.items.elementsEqual(snapshot.model), "seed \(seed)")
        }
        while !pair.model.isEmpty {
            let position = pair.model.indices.randomElement(using: &pair.generator) ?? 0
            pair.items.elements.remove(at: position)
            pair.model.remove(at: position)
        }
        pair.expectEqual()
        guard case .bucket(let entries) = pair.items.elements.labels.root else {
            Issue.record("the nodes are not joined")
            return
        }
        #expect(entries.isEmpty)
    }
}
