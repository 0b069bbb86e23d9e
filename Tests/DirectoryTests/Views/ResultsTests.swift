import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Directory

struct ResultsTests {
    let jobs: Directory<Job<Here>>
    let others: Directory<Job<There>>

    init() throws {
        let both = try Jobs()
        (jobs, others) = (both.here, both.others)
        try jobs.append(contentsOf: (0..<6).map { Job(id: $0, group: $0 % 3, rank: 10 - $0) })
    }

    @Test func resultsHaveTheItemsThatMeetTheCondition() throws {
        let open = jobs.results { !$0.isDone }
        #expect(open.items.map(\.id) == [0, 1, 2, 3, 4, 5])
        try jobs.update(id: 2) { $0.isDone = true }
        try jobs.remove(id: 4)
        try jobs.append(Job(id: 9, isDone: true))
        #expect(open.items.map(\.id) == [0, 1, 3, 5])
        try jobs.update(id: 2) { $0.isDone = false }
        #expect(open.items.map(\.id) == [0, 1, 2, 3, 5])
        #expect(open.count == 5 && !open.isEmpty)
        #expect(open.items[id: 2]?.isDone == false)
    }

    @Test func changedSortKeyMovesTheItem() throws {
        let sorted = jobs.results(sortedBy: KeyPathComparator(\.rank))
        #expect(sorted.items.map(\.id) == [5, 4, 3, 2, 1, 0])
        try jobs.update(id: 1) { $0.rank = 0 }
        #expect(sorted.items.map(\.id) == [1, 5, 4, 3, 2, 0])
        try jobs.update(id: 3) { $0.isDone = true }
        #expect(sorted.items[3].isDone)
    }

    @Test func itemsThatTheOrderDoesNotTellApartAreInTheOrderOfTheCollection() throws {
        let sorted = jobs.results(sortedBy: KeyPathComparator(\.group))
        #expect(sorted.items.map(\.id) == [0, 3, 1, 4, 2, 5])
        try jobs.move(fromOffsets: [3], toOffset: 0)
        #expect(sorted.items.map(\.id) == [3, 0, 1, 4, 2, 5])
        try jobs.update(id: 2) { $0.group = 0 }
        #expect(sorted.items.map(\.id) == [3, 0, 2, 1, 4, 5])
        try jobs.sort(using: KeyPathComparator(\.id, order: .reverse))
        #expect(sorted.items.map(\.id) == [3, 2, 0, 4, 1, 5])
    }

    @Test func severalComparatorsDecideInTurn() throws {
        let order = [
            KeyPathComparator(\Job<Here>.group, order: .reverse), KeyPathComparator(\.rank),
        ]
        let sorted = jobs.results(where: { $0.id != 5 }, sortedBy: order)
        #expect(sorted.items.map(\.id) == [2, 4, 1, 3, 0])
        try jobs.update(id: 0) { $0.rank = 1 }
        #expect(sorted.items.map(\.id) == [2, 4, 1, 0, 3])
    }

    @Test func sectionsComeAndGo() throws {
        let sections = jobs.results(
            sortedBy: KeyPathComparator(\.rank), sectionedBy: \.group, sectionOrder: .reverse)
        func shown() -> [Int: [Int]] {
            Dictionary(
                uniqueKeysWithValues: sections.sections.map { ($0.key, $0.items.map(\.id)) })
        }
        #expect(sections.sections.map(\.key) == [2, 1, 0])
        #expect(shown() == [2: [5, 2], 1: [4, 1], 0: [3, 0]])
        try jobs.remove(ids: [1, 4])
        #expect(sections.sections.map(\.id) == [2, 0])
        try jobs.update(id: 2) { $0.group = 7 }
        #expect(sections.sections.map(\.key) == [7, 2, 0])
        #expect(shown() == [7: [2], 2: [5], 0: [3, 0]])
        try jobs.removeAll { _ in true }
        #expect(sections.isEmpty)
    }

    @Test func itemWhoseKeyDoesNotEqualItselfIsInNoSection() throws {
        let sections = jobs.results(sectionedBy: { $0.rank == 0 ? .nan : Double($0.group) })
        func shown() -> [[Int]] { sections.sections.map { $0.items.map(\.id) } }
        #expect(shown() == [[0, 3], [1, 4], [2, 5]])
        for _ in 0..<2 {
            try jobs.update(id: 3) { $0.rank = 0 }
            #expect(shown() == [[0], [1, 4], [2, 5]])
            try jobs.update(id: 3) { $0.isDone = true }
            #expect(shown() == [[0], [1, 4], [2, 5]])
            try jobs.update(id: 3) { $0.rank = 7 }
            #expect(shown() == [[0, 3], [1, 4], [2, 5]])
        }
        try jobs.update(id: 0) { $0.rank = 0 }
        try jobs.remove(id: 0)
        #expect(shown() == [[3], [1, 4], [2, 5]])
    }

    @Test func changesOfOtherProcessesArriveWithALoad() throws {
        let open = jobs.results(where: { !$0.isDone }, sortedBy: KeyPathComparator(\.rank))
        try others.write { draft in
            try draft.update(id: 3) { $0.rank = 99 }
            try draft.remove(id: 5)
            try draft.append(Job(id: 6, rank: -1))
            try draft.move(fromOffsets: [0], toOffset: 3)
        }
        #expect(open.count == 6)
        try jobs.load()
        #expect(open.items.map(\.id) == [6, 4, 2, 1, 0, 3])
    }

    @Test func snapshotStaysAsItIs() throws {
        let open = jobs.results { !$0.isDone }
        let before = open.items
        try jobs.remove(id: 3)
        #expect(before.map(\.id) == [0, 1, 2, 3, 4, 5])
        #expect(before != open.items && open.items == open.items)
    }

    @Test func resultsStayAfterClose() throws {
        let open = jobs.results { !$0.isDone }
        try jobs.close()
        #expect(open.count == 6)
    }
}

/// What the code of a user sees and may do, and who is told.
struct ResultsBehaviourTests {
    let jobs: Directory<Job<Here>>

    init() throws {
        jobs = try Jobs().here
        try jobs.append(contentsOf: (0..<100).map { Job(id: $0, group: $0 / 10, rank: 100 - $0) })
    }

    @Test func observersAreToldIfTheResultsChanged() throws {
        let few = jobs.results(where: { $0.id < 10 }, sortedBy: KeyPathComparator(\.rank))
        #expect(try isTold(few.items) { try jobs.update(id: 3) { $0.rank = 0 } })
        #expect(try isTold(few.count) { try jobs.remove(id: 4) })
        #expect(try isTold(few.items) { try jobs.append(Job(id: 4, rank: 96)) })
        #expect(try !isTold(few.items) { try jobs.update(id: 30) { $0.rank = 0 } })
        #expect(try !isTold(few.items) { try jobs.append(Job(id: 200)) })
        // A new order of the collection is none of these results, whose ranks differ.
        #expect(try !isTold(few.items) { try jobs.move(fromOffsets: [0], toOffset: 50) })
        let sort = { try jobs.sort(using: KeyPathComparator(\.id, order: .reverse)) }
        #expect(try !isTold(few.items, of: sort))
    }

    @Test func observersOfSectionsAreToldIfTheyChanged() throws {
        let groups = jobs.results(where: { $0.group < 2 }, sectionedBy: \.group)
        #expect(try isTold(groups.sections) { try jobs.update(id: 3) { $0.group = 1 } })
        #expect(try isTold(groups.sections) { try jobs.move(fromOffsets: [4], toOffset: 0) })
        #expect(try !isTold(groups.sections) { try jobs.move(fromOffsets: [60], toOffset: 50) })
        #expect(try !isTold(groups.sections) { try jobs.update(id: 50) { $0.group = 3 } })
        #expect(try isTold(groups.isEmpty) { try jobs.update(id: 50) { $0.group = 0 } })
    }

    @Test func observationsDeliverTheResults() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let few = jobs.results { $0.id < 3 }
        var values = Observations { few.items.map(\.id) }.makeAsyncIterator()
        #expect(await values.next() == [0, 1, 2])
        try await jobs.remove(id: 1)
        #expect(await values.next() == [0, 2])
    }

    @Test func streamAndObserversSeeTheResultsOfTheirChange() async throws {
        let (jobs, few) = (jobs, jobs.results { $0.id < 3 })
        let seen = Mutex<[Int]>([])
        withObservationTracking {
            _ = jobs.count
        } onChange: {
            seen.withLock { $0 = few.items.map(\.id) }
        }
        var changes = jobs.changes.makeAsyncIterator()
        try await jobs.remove(id: 0)
        #expect(seen.withLock(\.self) == [1, 2])
        #expect(await changes.next() != nil)
        #expect(few.items.map(\.id) == [1, 2])
    }

    @Test func conditionCannotChangeTheCollection() throws {
        let jobs = jobs
        let codes = Mutex<Set<DirectoryError.Code>>([])
        let some = jobs.results { job in
            for change in [{ try jobs.remove(id: 1) }, { try jobs.load() }] {
                do { try change() } catch let error as DirectoryError {
                    codes.withLock { _ = $0.insert(error.code) }
                } catch { Issue.record(error) }
            }
            return jobs.items.contains(id: job.id)
        }
        #expect(some.count == 100)
        try jobs.append(Job(id: 200))
        #expect(some.count == 101)
        #expect(codes.withLock(\.self) == [.nestedWrite])
    }

    @Test func resultsThatNobodyHoldsCostNothing() throws {
        let calls = Atomic(0)
        func make() -> Results<Job<Here>> {
            jobs.results { _ in
                calls.add(1, ordering: .relaxed)
                return true
            }
        }
        var held: Results? = make()
        for _ in 0..<100 { _ = make() }
        calls.store(0, ordering: .relaxed)
        try jobs.append(Job(id: 200))
        let count = calls.load(ordering: .relaxed)
        #expect(count < 100)
        #expect(held?.count == 101)
        held = nil
        try jobs.append(Job(id: 201))
        #expect(calls.load(ordering: .relaxed) == count)
    }

    @Test func resultsKeepTheCollectionOpen() async throws {
        var other: Directory<Job<Here>>? = try Jobs().here
        try await other?.append(Job(id: 1))
        var results = other?.results { _ in true }
        var changes = other?.changes.makeAsyncIterator()
        other = nil
        #expect(results?.count == 1)
        results = nil
        #expect(await changes?.next() == nil)
    }

    @Test func resultsMadeWhileOthersCommitMissNothing() async throws {
        let (jobs, changes) = (jobs, jobs.changes)
        let last = TestSize.choose(sample: 140, gate: 300, full: 300)
        let writer = Task {
            for id in 100..<last { try await jobs.append(Job(id: id, rank: id % 7)) }
        }
        var all: [Results<Job<Here>>] = []
        for await change in changes {
            all.append(jobs.results(sortedBy: KeyPathComparator(\.rank)))
            if change.after.count == last { break }
        }
        try await writer.value
        let expected = jobs.items.sorted(using: KeyPathComparator(\.rank))
        for results in all { #expect(Array(results.items) == expected) }
    }
}
