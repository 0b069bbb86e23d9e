import DirectoryTestSupport
import FileSystem
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Checkpoints, which write a journal into its index.
@Suite(.timeLimit(.minutes(30))) struct CheckpointTests {
    @Test func checkpointLeavesAnIndexWithoutAJournal() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(12))
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.checkpoint()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        let lines = try #require(try disk.bytes("notes.json")).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == notes.count + 2)
        #expect(try disk.read() == history.last)
        // A second checkpoint writes nothing.
        let calls = process.log.count
        try notes.checkpoint()
        #expect(!process.log[calls...].contains { $0.hasPrefix("write") || $0.hasPrefix("sync") })
        process.kill()
    }

    @Test func releaseOfTheLastHandleCheckpoints() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        do {
            let process = ProcessFileSystem(disk.disk)
            let first = try disk.notes(on: process)
            do {
                let second = try disk.notes(on: process)
                try second.load()
            }
            #expect(try disk.bytes(".notes.journal") != nil)
            #expect(first.count == history.last?.count)
        }
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(try disk.read() == history.last)
    }

    @Test func releaseDuringACommitOfAnotherProcessLeavesTheJournal() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        try withExtendedLifetime(disk.lock()) {
            try disk.notes(on: ProcessFileSystem(disk.disk)).load()
            #expect(try disk.journal.records.count == 5)
        }
        #expect(try disk.read() == history.last)
    }

    @Test func releaseAfterACommitOfAnotherProcessKeepsIt() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let other = ProcessFileSystem(disk.disk)
        do {
            let notes = try disk.notes(on: ProcessFileSystem(disk.disk))
            try notes.load()
            let others = try disk.notes(on: other)
            try others.append(.salt)
            withExtendedLifetime(others) { other.kill() }
        }
        #expect(try disk.journal.records.count == 6)
        #expect(try disk.read().last == .salt)
    }

    /// A process that dies while it replaces the index leaves an invalid generation.
    @Test func releaseAfterAFailedCommitKeepsChangesOfOthers() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(5))
        do {
            let isFull = Atomic(true)
            let process = ProcessFileSystem(disk.disk) { _, call in
                isFull.load(ordering: .relaxed) && call.hasPrefix("write /store/.notes.journal")
                    ? .fails(.noSpace) : .works
            }
            let notes = try disk.notes(on: process)
            expectError(.noSpace) { try notes.append(.milk) }
            isFull.store(false, ordering: .relaxed)
            let dying = ProcessFileSystem(disk.disk) { _, call in
                call.hasPrefix("rename") && call.hasSuffix("notes.json") ? .killed : .works
            }
            let others = try disk.notes(on: dying)
            try others.append(.salt)
            #expect(throws: (any Error).self) { try others.checkpoint() }
            withExtendedLifetime((notes, others)) {}
        }
        #expect(try disk.read().last == .salt)
    }

    /// The process that commits during a checkpoint.
    enum Committer: CaseIterable { case sameProcess, runningProcess, newProcess }

    /// The commits come after the last byte of the new index was written, and before its sync.
    @Test(arguments: Sweep.cases(Committer.allCases, sample: 1), Sweep.cases([1, 3], sample: 1))
    func commitsDuringACheckpointAreKept(_ committer: Committer, _ count: Int) throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(6))
        let interruption = Interruption()
        let process = interruption.process(on: disk.disk, beforeCall: "sync", ".tmp")
        let other = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        let committing = committer == .sameProcess ? notes : try disk.notes(on: other)
        // A process recovers when it first has the lock.
        if committer == .runningProcess { try committing.write { _ in } }
        let added = (0..<count).map { Note(id: 10_000 + $0, title: "Meanwhile") }
        interruption.set { [unowned committing] in
            for note in added { try committing.append(note) }
        }
        try notes.checkpoint()
        #expect(interruption.hasRun)

        let expected = (history.last ?? []) + added
        #expect(Array(notes.items) == expected)
        #expect(try disk.read() == expected)
        if committer != .newProcess {
            let index = try #require(try disk.bytes("notes.json"))
            let journal = try disk.journal
            #expect(journal.base == IndexFingerprint(of: index))
            #expect(
                journal.records.map { RecordedChanges([$0]).operations.count }
                    == added.map { _ in 1 })
        } else {
            // The recovery of the new process removed the new index, so it was written again.
            #expect(try disk.names == ["notes.json", ".notes.lock"])
        }
        try committing.append(.salt)
        try notes.append(.milk)
        #expect(try disk.read() == expected + [.salt, .milk])
        try notes.checkpoint()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(try disk.read() == expected + [.salt, .milk])
        process.kill()
        other.kill()
    }

    @Test func checkpointStopsIfAnotherProcessCheckpoints() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(6))
        let interruption = Interruption()
        let process = interruption.process(on: disk.disk, beforeCall: "sync", ".tmp")
        let notes = try disk.notes(on: process)
        interruption.set {
            let other = ProcessFileSystem(disk.disk)
            let others = try disk.notes(on: other)
            try others.checkpoint()
            try others.append(.salt)
            withExtendedLifetime(others) { other.kill() }
        }
        try notes.checkpoint()
        #expect(try disk.names == ["notes.json", ".notes.lock", ".notes.journal"])
        #expect(try disk.read() == (history.last ?? []) + [.salt])
        try notes.load()
        #expect(notes.items.last == .salt)
        process.kill()
    }

    @Test func largeJournalIsWrittenIntoTheIndexInTheBackground() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        var options = DirectoryOptions()
        options.journalReserve = 4096
        let notes = try disk.notes(on: process, options)
        let title = String(repeating: "x", count: 200)
        var limit = 0
        for id in 0..<200 {
            try notes.append(Note(id: id, title: title))
            limit = max(4096, try #require(try disk.bytes("notes.json")).count / 2)
            // Until the index is replaced, its journal can be longer by one commit.
            let size = try disk.bytes(".notes.journal")?.count ?? 0
            #expect(size <= limit + 1000, "after \(id) commits")
        }
        notes.core.background.wait()
        process.kill()
        #expect(process.log.contains { $0.hasSuffix(".tmp to /store/notes.json") })
        #expect(try disk.read().map(\.id) == Array(0..<200))
    }

    @Test func batchThatIsTooLargeForTheJournalRewritesTheIndex() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(4))
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        let batch = (0..<3_000).map { Note(id: 10_000 + $0, title: "A note in a large batch") }
        try notes.append(contentsOf: batch)
        process.kill()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(try disk.read() == (history.last ?? []) + batch)
    }

    @Test func indexUpTo64KibibytesHasNoJournal() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process, threshold: DirectoryOptions().journalThreshold)
        let title = String(repeating: "x", count: 1000)
        try notes.append(contentsOf: (0..<63).map { Note(id: $0, title: title) })
        try notes.append(.init(id: 100, title: title))
        #expect(try disk.bytes(".notes.journal") == nil)
        try notes.append(.init(id: 101, title: title))
        #expect(try #require(try disk.bytes("notes.json")).count > 1 << 16)
        try notes.append(.init(id: 102, title: title))
        process.kill()
        #expect(try disk.journal.records.count == 1)
    }

    /// The journal leads from one index to another, and a change leads back to the first.
    @Test func failedRewriteThatWouldGiveTheSameIndexChangesNothing() throws {
        let (disk, history) = try NotesDisk.withJournal([.appendAll([.milk])])
        let before = try disk.bytes("notes.json")
        let isFull = Atomic(true)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isFull.load(ordering: .relaxed) && call.hasPrefix("rename ")
                && call.hasSuffix("/notes.json") ? .fails(.noSpace) : .works
        }
        var options = DirectoryOptions()
        options.journalReserve = 0
        let notes = try disk.notes(on: process, options, threshold: .max)
        expectError(.noSpace) { try notes.remove(id: Note.milk.id) }
        #expect(try disk.read() == history.last)
        isFull.store(false, ordering: .relaxed)
        try notes.remove(id: Note.milk.id)
        process.kill()
        #expect(try disk.read() == history.first)
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(
            try disk.bytes("notes.json") == before.map { JournalMark.remove(from: $0) + "\n".utf8 })
    }

    /// A process that waits between the two steps of a checkpoint, the new index and the new journal, has lost nothing.
    @Test func readerBetweenTheStepsOfACheckpointGoesOn() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(3))
        let others = try disk.notes(on: ProcessFileSystem(disk.disk))
        let reader = try disk.notes(on: ProcessFileSystem(disk.disk))
        try reader.load()
        let (commit, read) = (Interruption(), Interruption())
        let process = read.process(
            on: commit.process(on: disk.disk, beforeCall: "create ", ".tmp"),
            beforeCall: "rename ", " to /store/.notes.journal")
        let notes = try disk.notes(on: process)
        try notes.load()
        commit.set {
            try others.append(.milk)
            read.set { try reader.load() }
        }
        try notes.checkpoint()
        #expect(commit.hasRun && read.hasRun)
        try reader.load()
        #expect(Array(reader.items) == Array(others.items))
        try reader.append(.salt)
        try others.load()
        #expect(Array(reader.items) == Array(others.items))
    }
}
