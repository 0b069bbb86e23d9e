import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What a consumer of changes holds that has stopped to ask for them.
struct ChangeMemoryTests {
    /// An id that is counted as long as anything holds it.
    final class ID: Hashable, Codable, Sendable {
        static let count = Atomic(0)
        let number: Int

        init(_ number: Int) {
            self.number = number
            Self.count.add(1, ordering: .relaxed)
        }

        init(from decoder: any Decoder) throws {
            number = try Int(from: decoder)
            Self.count.add(1, ordering: .relaxed)
        }

        deinit { Self.count.subtract(1, ordering: .relaxed) }

        func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
        static func == (left: ID, right: ID) -> Bool { left.number == right.number }
    }

    struct Counted: Identifiable, Codable, Sendable {
        let id: ID
    }

    private func element(_ number: Int, edition: Int = 0) -> any IndexElement {
        ItemElement(item: Counted(id: ID(number)), line: [UInt8(truncatingIfNeeded: edition)])
    }

    /// Publishes one update of an item that stays, one new item, and the removal of the last new one.
    private func commit(_ edition: Int, to elements: inout Elements, _ streams: ChangeStreams) {
        let before = elements
        let position = edition % 100
        elements.replace(at: position, with: element(position, edition: edition))
        elements.insert(element(1_000 + edition), at: elements.count)
        var touched: Set = [elements[position].id, elements[elements.count - 1].id]
        if elements.count > 200 { touched.insert(elements.remove(at: 100).id) }
        streams.publish([
            ElementChange(from: before, to: elements, by: .here, touching: touched)
        ])
    }

    @Test func stalledConsumerHoldsNoMoreAfterManyCommitsThanAfterFew() {
        let streams = ChangeStreams()
        var elements = Elements.build((0..<100).map { element($0) }).elements
        let all = Set(elements.ids)
        streams.publish([
            ElementChange(from: Elements(), to: elements, by: .here, touching: all)
        ])
        let stalled = streams.subscribe()
        for edition in 0..<1_000 { commit(edition, to: &elements, streams) }
        let early = ID.count.load(ordering: .relaxed)
        for edition in 1_000..<TestSize.choose(sample: 2_500, gate: 100_000, full: 100_000) {
            commit(edition, to: &elements, streams)
        }
        #expect(ID.count.load(ordering: .relaxed) <= early)
        // The items of both ends, and their ids.
        #expect(early <= 100 + 2 * 200)
        let change = stalled.take()
        #expect(change?.updated.count == 100 && change?.inserted.count == elements.count - 100)
        #expect(stalled.take() == nil)
    }
}
