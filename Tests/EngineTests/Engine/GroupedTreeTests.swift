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

    private func boxes() throws -> Directory<Box> {
        var options = DirectoryOptions()
        // No checkpoint comes in between.
        options.journalTime = nil
        return try Directory(
            at: URL(filePath: "/store"), index: "boxes.json", options: options, on: process)
    }

    private var syncCount: Int { process.log.count { $0.hasPrefix("sync") } }

    @Test func tasksShareAWriteToParentAndChild() async throws {
        let boxes = try boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        let notes = try await boxes.child(.notes, of: 1)
        try await notes.append(.eggs)
        // From the second write on, there are journals.
        try await addCountedNote(99, to: boxes)
        let alone = try await addCountedNote(100, to: boxes)
        let before = syncCount
        try await boxes.changeTogether(
            (0..<64).map { id in { try await addCountedNote(id + 101, to: boxes) } })
        #expect(syncCount - before < 2 * alone)
        #expect(Set(notes.items.map(\.id)) == Set(99...164).union([Note.eggs.id]))
        #expect(boxes.count == 67)
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
        try await boxes.changeTogether(
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
                        var taken = writer
                        busy.core.writer.release(&taken)
                    }
                }
            })
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
        try await boxes.changeTogether(
            (0..<40).map { id in
                {
                    try await boxes.write { draft in
                        try draft.write(.notes, of: id) { try $0.append(.milk) }
                        let count = draft.base.write?.session.collectionCount ?? 0
                        most.max(count, ordering: .relaxed)
                    }
                }
            })
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
        try await boxes.changeTogether(
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
            })
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
        try await boxes.changeTogether(
            [
                { try await addCountedNote(10, to: boxes) },
                {
                    try await boxes.write { draft in
                        try notes.load()
                        count.store(notes.count, ordering: .relaxed)
                        try draft.append(Box(id: 2, folderName: "Two"))
                    }
                },
            ])
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(boxes.count == 3)
    }
}

extension Directory {
    /// Starts `changes`, each in a task, in this order, and commits all that wait.
    func changeTogether(_ changes: [@Sendable () async throws -> Void]) async throws {
        let commits = core.commits
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
}
