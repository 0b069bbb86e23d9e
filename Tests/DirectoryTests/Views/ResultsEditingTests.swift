import DirectoryTestSupport
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Positions of results are about the items that the results show.
struct ResultsEditingTests {
    let jobs: Directory<Job<Here>>
    let others: Directory<Job<There>>
    /// Shows 1, 3, 5, 7.
    let odd: Results<Job<Here>>
    /// Shows 0, 3, 6; 1, 4, 7; 2, 5.
    let groups: SectionedResults<Job<Here>, Int>

    init() throws {
        let both = try Jobs()
        (jobs, others) = (both.here, both.others)
        try jobs.append(contentsOf: (0..<8).map { Job(id: $0, group: $0 % 3, rank: 10 - $0) })
        odd = jobs.results { $0.id % 2 == 1 }
        groups = jobs.results(sectionedBy: \.group)
    }

    private var ids: [Int] { jobs.items.map(\.id) }

    @Test func deletionIsAboutTheShownItems() throws {
        try odd.delete(at: [1, 3])
        #expect(ids == [0, 1, 2, 4, 5, 6])
        try odd.delete(at: [0])
        #expect(ids == [0, 2, 4, 5, 6])
        let sorted = jobs.results(sortedBy: KeyPathComparator(\.rank))
        try sorted.delete(at: [0])
        #expect(ids == [0, 2, 4, 5])
    }

    @Test func deletionInASectionIsAboutTheItemsOfThatSection() throws {
        let section = try #require(groups.sections.dropFirst().first)
        try groups.delete(at: [2], in: section)
        #expect(ids == [0, 1, 2, 3, 4, 5, 6])
        // The view still shows the section as it was.
        try groups.delete(at: [1], in: section)
        #expect(ids == [0, 1, 2, 3, 5, 6])
        expectError(.itemNotFound) { try groups.delete(at: [0, 1], in: section) }
        #expect(ids == [0, 1, 2, 3, 5, 6])
    }

    @Test(arguments: [
        ([0], 3, [0, 2, 3, 4, 5, 6, 1, 7]), ([3], 0, [0, 7, 1, 2, 3, 4, 5, 6]),
        ([0], 4, [0, 2, 3, 4, 5, 6, 7, 1]), ([1, 2], 0, [0, 3, 5, 1, 2, 4, 6, 7]),
        ([0, 2], 2, [0, 2, 3, 4, 1, 5, 6, 7]), ([0, 3], 4, [0, 2, 3, 4, 5, 6, 1, 7]),
        // The order of the shown items stays the same.
        ([1], 1, [0, 1, 2, 3, 4, 5, 6, 7]), ([1], 2, [0, 1, 2, 3, 4, 5, 6, 7]),
        ([1, 2], 2, [0, 1, 2, 3, 4, 5, 6, 7]), ([3], 4, [0, 1, 2, 3, 4, 5, 6, 7]),
        ([], 4, [0, 1, 2, 3, 4, 5, 6, 7]),
    ])
    func moveIsBesideTheShownNeighbour(_ source: [Int], _ destination: Int, _ moved: [Int]) throws {
        var shown = odd.items.map(\.id)
        let part = source.map { shown[$0] }
        let before = destination - source.count { $0 < destination }
        shown.removeAll(where: part.contains)
        shown.insert(contentsOf: part, at: before)
        try odd.move(fromOffsets: IndexSet(source), toOffset: destination)
        #expect(ids == moved)
        #expect(odd.items.map(\.id) == shown)
    }

    @Test func itemsBehindTheResultsStayThere() throws {
        let even = jobs.results { $0.id % 2 == 0 }
        try even.move(fromOffsets: [0], toOffset: 4)
        #expect(ids == [1, 2, 3, 4, 5, 6, 0, 7])
    }

    @Test func moveInASectionLeavesTheOtherSections() throws {
        let section = try #require(groups.sections.first)
        try groups.move(fromOffsets: [2], toOffset: 0, in: section)
        #expect(ids == [6, 0, 1, 2, 3, 4, 5, 7])
        try groups.move(
            fromOffsets: [0], toOffset: 2, in: try #require(groups.sections.first))
        #expect(ids == [0, 1, 2, 6, 3, 4, 5, 7])
        #expect(groups.sections.map { $0.items.map(\.id) } == [[0, 6, 3], [1, 4, 7], [2, 5]])
    }

    @Test func sortedResultsCannotBeMoved() throws {
        let sorted = jobs.results(sortedBy: KeyPathComparator(\.rank))
        expectError(.sortedResults) { try sorted.move(fromOffsets: [0], toOffset: 2) }
        let sections = jobs.results(sortedBy: KeyPathComparator(\.rank), sectionedBy: \.group)
        let section = try #require(sections.sections.first)
        expectError(.sortedResults) {
            try sections.move(fromOffsets: [0], toOffset: 2, in: section)
        }
        #expect(ids == Array(0..<8))
    }

    @Test func positionsOutsideTheResultsAreAnError() throws {
        let section = try #require(groups.sections.last)
        expectError(.indexOutOfRange) { try odd.delete(at: [0, 4]) }
        expectError(.indexOutOfRange) { try odd.move(fromOffsets: [4], toOffset: 0) }
        expectError(.indexOutOfRange) { try odd.move(fromOffsets: [0], toOffset: 5) }
        expectError(.indexOutOfRange) { try odd.move(fromOffsets: [0], toOffset: -1) }
        expectError(.indexOutOfRange) { try groups.delete(at: [2], in: section) }
        expectError(.indexOutOfRange) {
            try groups.move(fromOffsets: [0], toOffset: 3, in: section)
        }
        let none = jobs.results { $0.id > 100 }
        expectError(.indexOutOfRange) { try none.delete(at: [0]) }
        try none.move(fromOffsets: [], toOffset: 0)
        #expect(ids == Array(0..<8))
    }

    @Test func asynchronousCallsAreAboutTheShownItems() async throws {
        try await odd.move(fromOffsets: [3], toOffset: 0)
        #expect(ids == [0, 7, 1, 2, 3, 4, 5, 6])
        try await odd.delete(at: [0])
        #expect(ids == [0, 1, 2, 3, 4, 5, 6])
        let section = try #require(groups.sections.first)
        try await groups.move(fromOffsets: [2], toOffset: 0, in: section)
        #expect(ids == [6, 0, 1, 2, 3, 4, 5])
        try await groups.delete(at: [2], in: section)
        #expect(ids == [0, 1, 2, 3, 4, 5])
        await expectError(.itemNotFound) { try await groups.delete(at: [1, 2], in: section) }
        let sorted = jobs.results(sortedBy: KeyPathComparator(\.rank))
        await expectError(.sortedResults) {
            try await sorted.move(fromOffsets: [0], toOffset: 2)
        }
    }

    /// Between the look and the call, another process inserts an item in front and removes one.
    @Test func changesOfOthersMeanwhileDoNotShiftPositions() throws {
        try others.load()
        try others.insert(Job(id: 9), at: 0)
        try odd.move(fromOffsets: [2], toOffset: 0)
        #expect(ids == [9, 0, 5, 1, 2, 3, 4, 6, 7])
        #expect(odd.items.map(\.id) == [9, 5, 1, 3, 7])
        try others.remove(id: 5)
        expectError(.itemNotFound) { try odd.delete(at: [0, 1]) }
        try odd.delete(at: [0])
        #expect(ids == [0, 1, 2, 3, 4, 6, 7])
    }
}
