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

    typealias Items = Directory<Counted>.Items

    private func slot(_ number: Int, edition: Int = 0) -> Items.Slot {
        .init(item: Counted(id: ID(number)), line: [UInt8(truncatingIfNeeded: edition)])
    }

    /// Publishes one update of an item that stays, one new item, and the removal of the last new one.
    private func commit(_ edition: Int, to items: inout Items, _ streams: ChangeStreams<Counted>) {
        let before = items
        let position = edition % 100
        items.replace(at: position, with: slot(position, edition: edition))
        items.insert(slot(1_000 + edition), at: items.count)
        let removed = items.count > 200 ? items.remove(at: 100) : nil
        let touched = [items[position].id, items[items.count - 1].id]
        streams.publish([
            .init(
                from: before, to: items, by: .here,
                touching: touched + [removed?.item.id].compactMap { $0 })
        ])
    }

    @Test func stalledConsumerHoldsNoMoreAfterManyCommitsThanAfterFew() {
        let streams = ChangeStreams<Counted>()
        var items = Items.build((0..<100).map { slot($0) }).items
        let all = items.ids
        streams.publish([.init(from: Items(), to: items, by: .here, touching: all)])
        let stalled = streams.subscribe()
        for edition in 0..<1_000 { commit(edition, to: &items, streams) }
        let early = ID.count.load(ordering: .relaxed)
        for edition in 1_000..<TestSize.choose(sample: 2_500, gate: 100_000, full: 100_000) {
            commit(edition, to: &items, streams)
        }
        #expect(ID.count.load(ordering: .relaxed) <= early)
        // The items of both ends, and their ids.
        #expect(early <= 100 + 2 * 200)
        let change = stalled.take()
        #expect(change?.updated.count == 100 && change?.inserted.count == items.count - 100)
        #expect(stalled.take() == nil)
    }
}
