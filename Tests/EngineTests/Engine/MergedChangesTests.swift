import DirectoryTestSupport
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A consumer of changes that is slow gets them merged.
@Suite(.timeLimit(.minutes(30))) struct MergedChangesTests {
    let disk: NotesDisk
    let notes: Directory<Note>
    let others: Directory<OtherNote>

    init() throws {
        disk = try NotesDisk()
        let options = DirectoryOptions(durability: .relaxed)
        let folder = URL(filePath: "/store")
        notes = try Directory(at: folder, index: "notes.json", options: options, on: disk.disk)
        others = try Directory(at: folder, index: "notes.json", options: options, on: disk.disk)
    }

    /// What a consumer made of the changes that it got.
    struct Consumer {
        var iterator: Directory<Note>.Changes.Iterator
        var rows: [Int]
        var notes: [Int: Note]
        var changeCount = 0

        init(_ changes: Directory<Note>.Changes) {
            iterator = changes.makeAsyncIterator()
            rows = changes.items.map(\.id)
            notes = Dictionary(uniqueKeysWithValues: changes.items.map { ($0.id, $0) })
        }

        var items: [Note] { rows.compactMap { notes[$0] } }

        mutating func apply(_ change: Directory<Note>.Change) throws {
            #expect(Array(change.before) == items)
            #expect(!change.isEmpty)
            rows = try #require(rows.applying(change.difference()))
            for id in change.removed { #expect(notes.removeValue(forKey: id) != nil) }
            for id in change.inserted { #expect(notes[id] == nil) }
            for id in change.updated { #expect(notes[id] != change.after[id: id]) }
            for id in change.inserted + change.updated { notes[id] = change.after[id: id] }
            #expect(Array(change.after) == items)
            changeCount += 1
        }
    }

    /// Makes a random change, which may fail, here or in another process.
    private func change(with random: inout SeededGenerator) throws {
        if Int.random(in: 0..<4, using: &random) == 0 {
            try others.write { draft in
                let id = Int.random(in: 0..<30, using: &random)
                let note = OtherNote(id: id, title: "Other \(random.next() % 4)")
                if random.next() % 2 == 0, draft.items.contains(id: id) {
                    try draft.remove(id: id)
                } else {
                    try draft.updateOrAppend(note)
                }
            }
            try notes.load()
        } else {
            let edit = Edit.random(of: Array(notes.items), by: &random)
            do { try edit.apply(to: notes) } catch is DirectoryError {}
        }
    }

    @Test func changesOfSlowConsumersLeadToTheNewestItems() async throws {
        var random = SeededGenerator()
        var consumers: [Consumer] = []
        let steps = TestSize.choose(sample: 320, gate: 3_000, full: 30_000)
        for step in 0..<steps {
            if step % 300 == 0 { consumers.append(Consumer(notes.changes)) }
            try change(with: &random)
            // The patience of each consumer differs.
            for index in consumers.indices
            where Int.random(in: 0..<(1 << (3 * index)), using: &random) == 0 {
                // Otherwise nothing may wait, and the call would wait for ever.
                guard consumers[index].items != Array(notes.items) else { continue }
                let change = try #require(await consumers[index].iterator.next())
                try consumers[index].apply(change)
                #expect(consumers[index].items == Array(notes.items), "\(random), step \(step)")
            }
        }
        try await notes.close()
        for index in consumers.indices {
            while let change = await consumers[index].iterator.next() {
                try consumers[index].apply(change)
            }
            #expect(consumers[index].items == Array(notes.items), "\(random)")
        }
        #expect(consumers[0].changeCount > steps / 4)
    }

    @Test func consumersOfOtherTasksGetEveryChange() async throws {
        let random = SeededGenerator()
        let newest = try await withThrowingTaskGroup(of: [Note].self) { group in
            for number in 0..<4 {
                var consumer = Consumer(notes.changes)
                group.addTask {
                    var random = SeededGenerator(seed: random.seed &+ UInt64(number))
                    while let change = await consumer.iterator.next() {
                        try consumer.apply(change)
                        let stall = Int.random(in: 0..<(1 << (3 * number)), using: &random)
                        for _ in 0..<stall { await Task.yield() }
                    }
                    return consumer.items
                }
            }
            var random = random
            for _ in 0..<TestSize.choose(sample: 120, gate: 400, full: 400) {
                try change(with: &random)
                await Task.yield()
            }
            try await notes.close()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(newest == Array(repeating: Array(notes.items), count: 4), "\(random)")
    }

    @Test func additionAndRemovalCancelEachOther() async throws {
        var changes = notes.changes.makeAsyncIterator()
        try await notes.append(.milk)
        try await notes.append(.eggs)
        try await notes.remove(id: 2)
        let change = try #require(await changes.next())
        #expect(change.inserted == [1] && change.removed.isEmpty && change.updated.isEmpty)
        try await notes.remove(id: 1)
        try await notes.append(Note(id: 1, title: "Ham"))
        let second = try #require(await changes.next())
        #expect(second.updated == [1] && second.inserted.isEmpty && second.removed.isEmpty)
        try await notes.append(.milk)
        try await notes.remove(id: 2)
        try await notes.close()
        #expect(await changes.next() == nil)
    }

    @Test func itemRemovedAndAddedElsewhereIsAnotherOrder() async throws {
        try await notes.append(contentsOf: [.eggs, .milk, .salt])
        var changes = notes.changes.makeAsyncIterator()
        try await notes.remove(id: 1)
        try await notes.append(.eggs)
        let change = try #require(await changes.next())
        #expect(change.isReordered && change.updated.isEmpty)
        #expect(change.difference().count == 2)
    }

    @Test func changeOfSeveralProcessesIsOfAnotherOne() async throws {
        var changes = notes.changes.makeAsyncIterator()
        try await notes.append(.eggs)
        try await notes.append(.milk)
        #expect(await changes.next()?.origin == .here)
        try await others.append(.rice)
        try await notes.append(.salt)
        let change = try #require(await changes.next())
        #expect(change.origin == .otherProcess)
        #expect(change.inserted == [8, 3])
    }
}
