import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Results equal a computation from all items after each random change.
@Suite(.timeLimit(.minutes(600))) struct ResultsModelTests {
    typealias Item = Job<Here>

    private static let changeCount = TestSize.choose(sample: 100, gate: 800, full: 1_000_000)

    /// Random changes of a collection and the views that follow it.
    struct Play {
        let jobs: Jobs
        var random: SeededGenerator
        private let open: Results<Item>
        private let sorted: Results<Item>
        private let table: Results<Item>
        private let groups: SectionedResults<Item, Int>
        private let openGroups: SectionedResults<Item, Int>

        init(_ random: SeededGenerator) throws {
            self.random = random
            jobs = try Jobs()
            let order = KeyPathComparator(\Item.rank)
            let orders = [
                KeyPathComparator(\Item.group, order: .reverse), KeyPathComparator(\.rank),
            ]
            open = jobs.here.results { !$0.isDone }
            sorted = jobs.here.results(sortedBy: order)
            table = jobs.here.results(where: { $0.rank != 2 }, sortedBy: orders)
            groups = jobs.here.results(sortedBy: order, sectionedBy: \.group)
            openGroups = jobs.here.results(
                where: { !$0.isDone }, sectionedBy: { $0.rank / 2 }, sectionOrder: .reverse)
        }

        private mutating func number(_ bound: Int) -> Int {
            Int.random(in: 0..<bound, using: &random)
        }

        private mutating func job<Tag>(_ id: Int) -> Job<Tag> {
            Job(id: id, group: number(5), rank: number(7), isDone: number(3) == 0)
        }

        private mutating func change<Tag>(_ draft: inout Directory<Job<Tag>>.Draft) throws {
            let count = draft.items.count
            guard count > 0 else { return try draft.append(job(number(200))) }
            let position = number(count)
            let id = draft.items[position].id
            switch number(12) {
            case 0..<3: try draft.updateOrAppend(job(number(200)))
            case 3..<6: try draft.update(job(id))
            case 6: try draft.update(id: id) { $0.isDone.toggle() }
            case 7, 8: try draft.remove(id: id)
            case 9:
                let new: Job<Tag> = job(id)
                try draft.remove(id: id)
                try draft.insert(new, at: number(count))
            default:
                let offsets = (0...number(3)).map { _ in number(count) }
                try draft.move(fromOffsets: IndexSet(offsets), toOffset: number(count + 1))
            }
        }

        /// Changes much: a batch, a removal of many, a sort.
        private mutating func changeMuch<Tag>(_ draft: inout Directory<Job<Tag>>.Draft) throws {
            switch number(3) {
            case 0:
                for id in 200..<(200 + number(120)) { try draft.updateOrAppend(job(id)) }
            case 1:
                let group = number(5)
                draft.removeAll { $0.group == group || $0.id >= 200 }
            default: draft.sort(using: KeyPathComparator(\.rank, order: .reverse))
            }
        }

        private mutating func write<Tag>(_ jobs: Directory<Job<Tag>>) throws {
            let (count, isMuch) = (1 + number(3), number(50) == 0)
            try jobs.write { draft in
                for _ in 0..<count { try change(&draft) }
                if isMuch { try changeMuch(&draft) }
            }
        }

        mutating func step() throws {
            if number(8) == 0 {
                for _ in 0...number(2) { try write(jobs.others) }
                if number(2) == 0 { return try jobs.here.load() }
            }
            try write(jobs.here)
        }

        /// Whether all views are what a computation from all items gives.
        var isRight: Bool {
            let all = Array(jobs.here.items)
            let undone = all.filter { !$0.isDone }
            let byRank = Self.sorted(all) { $0.rank }
            return Array(open.items) == undone && Array(sorted.items) == byRank
                && Array(table.items)
                    == Self.sorted(all.filter { $0.rank != 2 }) { 100 * -$0.group + $0.rank }
                && isRight(groups, byRank, \.group, by: <)
                && isRight(openGroups, undone, { $0.rank / 2 }, by: >)
        }

        /// The items by `key`, those with the same one in their order.
        private static func sorted(_ items: [Item], by key: (Item) -> Int) -> [Item] {
            items.enumerated().map { (key: key($1), place: $0, item: $1) }
                .sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.item)
        }

        private func isRight(
            _ results: SectionedResults<Item, Int>, _ items: [Item], _ key: (Item) -> Int,
            by precedes: (Int, Int) -> Bool
        ) -> Bool {
            let sections = Dictionary(grouping: items, by: key)
            return results.sections.map(\.key) == sections.keys.sorted(by: precedes)
                && results.sections.allSatisfy { Array($0.items) == sections[$0.key] }
        }
    }

    struct WrongResults: Error {
        let change: Int
    }

    @Test func resultsEqualAComputationFromAllItems() throws {
        let random = SeededGenerator()
        let (start, playLength, count) = (ContinuousClock.now, 10_000, Self.changeCount)
        let failures = Mutex<[String]>([])
        onAllCores(Array(stride(from: 0, to: count, by: playLength))) { first in
            do {
                var play = try Play(SeededGenerator(seed: random.seed &+ UInt64(first)))
                for change in first..<min(first + playLength, count) {
                    try play.step()
                    guard play.isRight else { throw WrongResults(change: change) }
                }
            } catch {
                failures.withLock { $0.append("\(random), changes from \(first): \(error)") }
            }
        }
        #expect(failures.withLock(\.self) == [])
        print(
            "results: \(count) changes, \(random),",
            "\((ContinuousClock.now - start).components.seconds) s")
    }
}
