import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Changes of several tasks that wait together and reach into containers.
struct GroupedTreeTests {
    let disk = MemoryFileSystem()
    let process: ProcessFileSystem

    init() { process = ProcessFileSystem(disk) }

    private func boxes(
        undoLimit: Int = 0, lockTimeout: Duration = .seconds(10), in folder: String = "/store"
    ) throws -> Directory<Box> {
        var options = DirectoryOptions(undoLimit: undoLimit)
        options.lockTimeout = lockTimeout
        return try Directory(
            at: URL(filePath: folder), index: "boxes.json", options: options, on: process)
    }

    private var syncCount: Int { process.log.count { $0.hasPrefix("sync") } }

    @Test func tasksShareAWriteToParentAndChild() async throws {
        let boxes = try boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        let notes = try await boxes.child(.notes, of: 1)
        try await notes.append(.eggs)
        let alone = try await addCountedNote(100, to: boxes)
        let before = syncCount
        try await together(
            (0..<64).map { id in { try await addCountedNote(id + 101, to: boxes) } }, in: boxes)
        #expect(syncCount - before < 2 * alone)
        #expect(Set(notes.items.map(\.id)) == Set(100...164).union([Note.eggs.id]))
        #expect(boxes.count == 66)
    }

    /// Adds a note to box 1, and a box for it beside; returns the syncs.
    @discardableResult
    private func addCountedNote(_ id: Int, to boxes: Directory<Box>) async throws -> Int {
        let before = syncCount
        try await boxes.write { draft in
            try draft.append(Box(id: id, folderName: "b\(id)"))
            try draft.write(.notes, of: 1) { try $0.append(Note(id: id, title: "\(id)")) }
        }
        return syncCount - before
    }

    /// Starts `changes` one after the other, and commits all that wait.
    private func together<Item>(
        _ changes: [@Sendable () async throws -> Void], in directory: Directory<Item>
    ) async throws {
        let commits = directory.core.commits
        commits.queue.suspend()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (position, change) in changes.enumerated() {
                group.addTask(operation: change)
                while commits.pendingCount <= position { await Task.yield() }
            }
            commits.queue.resume()
            try await group.waitForAll()
        }
    }

    /// Another thread has a child: the change that needs it waits, the others do not.
    @Test func changeThatMeetsABusyChildLeavesTheGroup() async throws {
        let boxes = try boxes()
        for id in 1...2 { try await boxes.append(Box(id: id, folderName: "b\(id)")) }
        let busy = try await boxes.child(.notes, of: 1)
        let free = try await boxes.child(.notes, of: 2)
        try await busy.append(.eggs)
        try await free.append(.eggs)
        let writer = busy.core.writer.take()
        let attempts = Atomic(0)
        let done = Atomic(0)
        try await together(
            (0..<8).map { id in
                {
                    try await boxes.write { draft in
                        if id == 3 { attempts.add(1, ordering: .relaxed) }
                        try draft.append(Box(id: id + 10, folderName: "n\(id)"))
                        try draft.write(.notes, of: id == 3 ? 1 : 2) {
                            try $0.append(Note(id: id + 10, title: ""))
                        }
                    }
                    // The others have their result while the child is still in use.
                    if done.add(1, ordering: .relaxed).newValue == 7 {
                        busy.core.writer.release(writer)
                    }
                }
            }, in: boxes)
        #expect(attempts.load(ordering: .relaxed) > 1)
        #expect(Set(boxes.items.map(\.id)) == Set(1...2).union(10..<18))
        #expect(Set(busy.items.map(\.id)) == [Note.eggs.id, 13])
        #expect(free.count == 8)
    }

    @Test func groupLocksSixteenCollectionsAtMost() async throws {
        let boxes = try boxes()
        for id in 0..<40 {
            try await boxes.append(Box(id: id, folderName: "b\(id)"))
            try await boxes.child(.notes, of: id).append(.eggs)
        }
        let most = Atomic(0)
        try await together(
            (0..<40).map { id in
                {
                    try await boxes.write { draft in
                        try draft.write(.notes, of: id) { try $0.append(.milk) }
                        let count = draft.base.write?.session.collectionCount ?? 0
                        most.max(count, ordering: .relaxed)
                    }
                }
            }, in: boxes)
        #expect(most.load(ordering: .relaxed) == CommitGroup.maximumCollections)
        for id in 0..<40 {
            let notes = try await boxes.child(.notes, of: id)
            try await notes.load()
            #expect(notes.count == 2)
        }
    }

    /// A change that throws leaves nothing behind, also in a child that others of the group change.
    @Test func failedChangeLeavesNothingInAChild() async throws {
        let boxes = try boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        let failures = Atomic(0)
        try await together(
            (0..<20).map { id in
                {
                    do {
                        try await boxes.write { draft in
                            try draft.write(.notes, of: 1) {
                                try $0.append(Note(id: id, title: ""))
                            }
                            if id % 3 == 0 { throw CancellationError() }
                        }
                    } catch is CancellationError { failures.add(1, ordering: .relaxed) }
                }
            }, in: boxes)
        #expect(failures.load(ordering: .relaxed) == 7)
        let notes = try await boxes.child(.notes, of: 1)
        try await notes.load()
        #expect(Set(notes.items.map(\.id)) == Set(0..<20).filter { $0 % 3 != 0 })
    }

    /// The closure of the second change reads the collection that the first one has locked.
    @Test func changeThatReadsACollectionOfAnotherOneIsTriedAlone() async throws {
        let boxes = try boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        let notes = try await boxes.child(.notes, of: 1)
        let count = Atomic(0)
        try await together(
            [
                { try await addCountedNote(10, to: boxes) },
                {
                    try await boxes.write { draft in
                        try notes.load()
                        count.store(notes.count, ordering: .relaxed)
                        try draft.append(Box(id: 2, folderName: "Two"))
                    }
                },
            ], in: boxes)
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(boxes.count == 3)
    }

    /// How the collections of ``stepsOfAGroupAreThoseOfSingleChanges(_:)`` remember what was removed.
    private static let options = [(100, false), (3, false), (100, true), (0, true), (0, false)]

    /// Tasks whose changes wait together, against the same changes one after the other: the items, those that were
    /// removed, the steps of the undo history, and each state that they lead to.
    @Test(arguments: 0..<TestSize.choose(sample: 15, gate: 250, full: 20_000))
    func stepsOfAGroupAreThoseOfSingleChanges(_ number: Int) async throws {
        var random = SeededGenerator(seed: UInt64(number))
        let (undoLimit, keeps) = Self.options[number % Self.options.count]
        func store(_ folder: String) throws -> Directory<Box> {
            var options = DirectoryOptions(undoLimit: undoLimit)
            options.keepsRemoved = keeps ? .days(30) : nil
            return try Directory(
                at: URL(filePath: folder), index: "boxes.json", options: options, on: process)
        }
        let (single, grouped) = (try store("/single"), try store("/grouped"))
        for boxes in [single, grouped] {
            try await boxes.append(contentsOf: (0..<4).map { Box(id: $0, folderName: "b\($0)") })
            for id in 0..<3 {
                try await boxes.child(.notes, of: id).append(contentsOf: [.eggs, .milk])
            }
            try await boxes.removeUndoHistory()
        }
        let changes = (0..<Int.random(in: 2..<14, using: &random)).map { _ in
            TreeChange.random(using: &random)
        }
        for change in changes { try? await single.write { try change.apply(to: &$0) } }
        try await together(
            changes.map { change in
                { _ = try? await grouped.write { try change.apply(to: &$0) } }
            }, in: grouped)
        try compare(single, grouped, "\(changes)")
        // Another process removes an item, which can be one of a step.
        let gone = Int.random(in: 0..<6, using: &random)
        if number.isMultiple(of: 2) {
            try ["/single", "/grouped"].forEach { try remove(gone, at: $0) }
        }
        try undoAndRedo(single, grouped, "\(changes)")
        if keeps { try bringBack(single, grouped, "\(changes)") }
    }

    private func remove(_ id: Int, at folder: String) throws {
        let others = try Directory<Box>(
            at: URL(filePath: folder), index: "boxes.json", on: ProcessFileSystem(disk))
        try others.removeAll { $0.id == id }
    }

    private func undoAndRedo(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ changes: String
    ) throws {
        for isRedo in [false, true] {
            while isRedo ? single.canRedo : single.canUndo {
                let codes = [single, grouped].map { boxes in
                    do {
                        _ = isRedo ? try boxes.redo() : try boxes.undo()
                        return DirectoryError.Code?.none
                    } catch { return (error as? DirectoryError)?.code }
                }
                #expect(codes[0] == codes[1], "\(changes)")
                try compare(single, grouped, "\(isRedo ? "redo" : "undo") of \(changes)")
                if codes[0] != nil { break }
            }
        }
    }

    private func bringBack(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ changes: String
    ) throws {
        for boxes in [single, grouped] {
            for removed in try boxes.recentlyRemoved().sorted(by: {
                ($0.item.id, $0.date) < ($1.item.id, $1.date)
            }) {
                _ = try? boxes.bring(back: [removed.id]) { $0.folderName += "x" }
            }
        }
        // The position of a removed item is the one before the group.
        try compare(single, grouped, "removed by \(changes)", inOrder: false)
    }

    private func compare(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ comment: Comment,
        inOrder: Bool = true
    ) throws {
        let items = [single, grouped].map { boxes in
            inOrder ? Array(boxes.items) : boxes.items.sorted { $0.id < $1.id }
        }
        #expect(items[0] == items[1], comment)
        #expect(single.core.history.counts == grouped.core.history.counts, comment)
        let removed = try [single, grouped].map { boxes in
            try boxes.recentlyRemoved().map(\.item).sorted {
                ($0.id, $0.folderName) < ($1.id, $1.folderName)
            }
        }
        #expect(removed[0] == removed[1], comment)
        for box in single.items {
            let notes = try [single, grouped].map { boxes in
                let notes = try boxes.child(.notes, of: box.id)
                try notes.load()
                return Array(notes.items)
            }
            #expect(notes[0] == notes[1], comment)
        }
    }
}

/// A change of boxes, and of the notes in them.
private enum TreeChange: Sendable {
    case append(Int)
    case remove(Int)
    case rename(Int, String)
    case move(Int, to: Int)
    case notes(Int, Int)
    case both(Int, Int)
    case fill(Int)
    case fail

    static func random(using random: inout SeededGenerator) -> Self {
        let (id, other) = (
            Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random)
        )
        return switch Int.random(in: 0..<14, using: &random) {
        case 0..<2: .append(id)
        case 2: .remove(id)
        case 3: .rename(id, "r\(other)")
        case 4..<7: .move(id, to: other)
        case 7..<10: .notes(id, other)
        case 10..<12: .both(id, other)
        case 12: .fill(id)
        default: .fail
        }
    }

    func apply(to draft: inout Directory<Box>.Draft) throws {
        switch self {
        case .append(let id): try draft.append(Box(id: id, folderName: "b\(id)"))
        case .remove(let id): try draft.remove(id: id)
        case .rename(let id, let name): try draft.update(id: id) { $0.folderName = name }
        case .move(let id, let other): try draft.move([id], before: other == id ? nil : other)
        case .notes(let id, let note): try change(note, in: id, &draft)
        case .both(let id, let other):
            try draft.move([id], before: nil)
            try change(other, in: other, &draft)
        case .fill(let id):
            try draft.append(Box(id: id, folderName: "b\(id)"))
            try draft.write(.notes, of: id) { try $0.append(Note(id: id, title: "first")) }
        case .fail: throw CancellationError()
        }
    }

    private func change(_ note: Int, in id: Int, _ draft: inout Directory<Box>.Draft) throws {
        try draft.write(.notes, of: id) { notes in
            switch note {
            case 0..<2: try notes.append(Note(id: note, title: "new"))
            case 2: notes.sort(using: KeyPathComparator(\.title))
            case 3: try notes.remove(id: Note.eggs.id)
            default: try notes.update(id: Note.milk.id) { $0.title += "\(note)" }
            }
        }
    }
}
