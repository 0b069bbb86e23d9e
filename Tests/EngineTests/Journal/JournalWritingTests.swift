import DirectoryTestSupport
import FileSystem
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Commits to the journal, and their failures.
struct JournalWritingTests {
    private let journalPath = "/store/.notes.journal"

    @Test func relaxedCommitIsNotSyncedAndRecordsTheDurableLength() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        // The first handle of an index decides all options but the durability.
        let durable = try disk.notes(on: process)
        let relaxed = try disk.notes(on: process, .init(durability: .relaxed))
        try relaxed.append(.eggs)
        try relaxed.append(.milk)
        let start = process.log.count
        for id in 10..<13 { try relaxed.append(Note(id: id, title: "x")) }
        #expect(!process.log[start...].contains { $0.hasPrefix("sync") })
        try durable.append(Note(id: 13, title: "y"))
        try relaxed.append(Note(id: 14, title: "z"))
        process.kill()
        #expect(try disk.read().map(\.id) == [1, 2, 10, 11, 12, 13, 14])
        // The first record was synced with the new journal, and after it only the fifth record.
        let ends = try disk.recordEnds
        #expect(try durableLengths(disk) == [ends[0], ends[1], ends[1], ends[1], ends[1], ends[5]])
    }

    /// The bytes of the journal without its padding.
    private func recordBytes(_ disk: NotesDisk) throws -> [UInt8] {
        let bytes = try disk.journalBytes
        #expect(bytes[try disk.journal.tail.end...].allSatisfy { $0 == Journal.paddingByte })
        return Array(bytes[..<(try disk.journal.tail.end)])
    }

    /// The durable length of the journal that each record names.
    private func durableLengths(_ disk: NotesDisk) throws -> [Int] {
        let bytes = try disk.journalBytes
        return try disk.recordEnds.dropLast().map { start in
            let head = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
            return try #require(Int(ascii: head.split(separator: 0x20)[2]))
        }
    }

    @Test func journalWithASecondNameIsReplaced() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(4))
        try disk.link(".notes.journal", to: "backup")
        let backup = try #require(try disk.bytes("backup"))
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.append(.salt)
        try notes.append(.milk)
        process.kill()
        #expect(try disk.bytes("backup") == backup)
        #expect(try disk.identity(of: "backup") != disk.identity(of: ".notes.journal"))
        #expect(try disk.read() == (history.last ?? []) + [.salt, .milk])
    }

    @Test(arguments: [1, 20, 79, 500])
    func tornRecordIsIgnoredAndTruncated(_ length: Int) throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let whole = try recordBytes(disk)
        var tail = try disk.journal.tail
        let line = Array("{\"id\":7,\"title\":\"\(String(repeating: "x", count: 600))\"}".utf8)
        let torn = whole + tail.append(.operations([.insert(line[...], at: 0)])).prefix(length)
        try disk.write(torn, to: ".notes.journal")
        #expect(try disk.read() == history.last)
        #expect(try disk.bytes(".notes.journal") == torn)
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.append(.salt)
        process.kill()
        #expect(try recordBytes(disk).starts(with: whole))
        #expect(try disk.read() == (history.last ?? []) + [.salt])
    }

    /// The first of two records that were not synced is torn, and the next process adds an equal one.
    @Test func recordAfterATornOneNeverComesBack() throws {
        let start = try NotesDisk()
        do {
            let process = ProcessFileSystem(start.disk)
            let durable = try start.notes(on: process)
            let relaxed = try start.notes(on: process, .init(durability: .relaxed))
            try durable.append(.eggs)
            try durable.append(.milk)
            try relaxed.append(.salt)
            try relaxed.append(Note(id: 10, title: "x"))
            process.kill()
        }
        var bytes = try start.journalBytes
        bytes[try start.recordEnds[1]] = 0
        try start.write(bytes, to: ".notes.journal")
        let disk = RecordedDisk(start.disk.image)
        let process = ProcessFileSystem(disk)
        let notes = try start.notes(on: process)
        try notes.append(.salt)
        process.kill()
        var found: Set<[Note]> = []
        let loss = PowerLoss(disk, .posix)
        try loss.forEachState(at: loss.moments, .init(), seed: 1) { state in
            found.insert(try NotesDisk(state.image).read())
        }
        #expect(found == [[.eggs, .milk], [.eggs, .milk, .salt]])
    }

    /// The failure of an append to the journal.
    enum Failure: CaseIterable {
        case write, halfWrite, halfWriteWithoutTruncation, halfWriteWithoutSync, sync

        /// Whether the process no longer knows which bytes of the file are on the disk.
        var makesFileUnreliable: Bool { self != .write && self != .halfWrite }
    }

    @Test(arguments: Failure.allCases)
    func failedAppendChangesNothingAndTheNextAppendWorks(_ failure: Failure) throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { [journalPath] _, call in
            guard isFailing.load(ordering: .relaxed) else { return .works }
            switch (failure, call) {
            case (.write, "write \(journalPath)"): return .fails(.noSpace)
            case (.halfWrite, "write \(journalPath)"),
                (.halfWriteWithoutTruncation, "write \(journalPath)"),
                (.halfWriteWithoutSync, "write \(journalPath)"):
                let bytes = (try? disk.bytes(".notes.journal")) ?? []
                try? disk.write(bytes + Array("6 0123".utf8), to: ".notes.journal")
                return .fails(.noSpace)
            case (.halfWriteWithoutTruncation, "truncate \(journalPath)"): return .fails(.ioError)
            case (.sync, "sync \(journalPath)"), (.halfWriteWithoutSync, "sync \(journalPath)"):
                return .fails(.ioError)
            default: return .works
            }
        }
        let notes = try disk.notes(on: process)
        try notes.load()
        let (inode, before) = (
            try disk.identity(of: ".notes.journal"), try recordBytes(disk)
        )
        isFailing.store(true, ordering: .relaxed)
        expectError(failure == .sync ? .ioFailure : .noSpace) { try notes.append(.salt) }
        isFailing.store(false, ordering: .relaxed)
        #expect(Array(notes.items) == history.last)
        #expect(try disk.read() == history.last)
        // A file whose sync failed is replaced.
        let isSameFile = try disk.identity(of: ".notes.journal") == inode
        #expect(isSameFile == !failure.makesFileUnreliable)
        #expect(try recordBytes(disk) == before)
        try notes.append(.salt)
        try notes.append(.milk)
        process.kill()
        #expect(try disk.read() == (history.last ?? []) + [.salt, .milk])
        _ = try recordBytes(disk)
    }

    /// The torn record is that of another process.
    @Test func journalWhoseTruncationCannotBeSyncedIsReplaced() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let whole = try recordBytes(disk)
        try disk.write(whole + Array("6 0123".utf8), to: ".notes.journal")
        let inode = try disk.identity(of: ".notes.journal")
        let isFailing = Atomic(true)
        let process = ProcessFileSystem(disk.disk) { [journalPath] _, call in
            isFailing.load(ordering: .relaxed) && call == "sync \(journalPath)"
                ? .fails(.ioError) : .works
        }
        let notes = try disk.notes(on: process)
        expectError(.ioFailure) { try notes.append(.salt) }
        isFailing.store(false, ordering: .relaxed)
        #expect(try disk.identity(of: ".notes.journal") != inode)
        #expect(try recordBytes(disk) == whole)
        try notes.append(.milk)
        process.kill()
        #expect(try disk.read() == (history.last ?? []) + [.milk])
    }

    @Test func failedSyncThatCannotBeUndoneLeavesTheCollectionInDoubt() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isFailing.load(ordering: .relaxed) && call.hasPrefix("sync") ? .fails(.ioError) : .works
        }
        let notes = try disk.notes(on: process)
        try notes.load()
        isFailing.store(true, ordering: .relaxed)
        expectError(.inDoubt) { try notes.append(.salt) }
        isFailing.store(false, ordering: .relaxed)
        let bytes = try disk.bytes(".notes.journal")
        // This process writes nothing more.
        expectError(.inDoubt) { try notes.append(.milk) }
        expectError(.inDoubt) { try notes.checkpoint() }
        #expect(try disk.bytes(".notes.journal") == bytes)
        process.kill()
        let last = history.last ?? []
        #expect(try [last, last + [.salt]].contains(disk.read()))
        let other = ProcessFileSystem(disk.disk)
        try disk.notes(on: other).append(.milk)
        other.kill()
        #expect(try disk.read().last == .milk)
    }

    @Test func missingOrEmptyIndexBesideAJournalIsAConflict() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(3))
        for bytes in [nil, [], Array("[]\n".utf8)] as [[UInt8]?] {
            if let bytes {
                try disk.write(bytes, to: "notes.json")
            } else {
                try disk.remove("notes.json")
            }
            try expectUntouched(disk, .indexConflict)
        }
    }

    @Test func journalWithAnInvalidHeaderIsDamaged() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(3))
        let whole = try disk.journalBytes
        let text = String(decoding: whole, as: UTF8.self)
        let broken = [
            "", "\n", text.replacing("directory-journal 1", with: "directory-journal 2"),
            text.replacing("directory-journal 1 ", with: "directory-journal 1  "), "\n" + text,
            String(text.prefix { $0 != "\n" }),
        ]
        for bytes in broken {
            try disk.write(Array(bytes.utf8), to: ".notes.journal")
            try expectUntouched(disk, .journalDamaged)
        }
    }

    /// Expects that a load, a change and a checkpoint fail and write nothing.
    private func expectUntouched(
        _ disk: NotesDisk, _ code: DirectoryError.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let image = disk.disk.image
        do {
            let notes = try disk.notes(on: ProcessFileSystem(disk.disk))
            expectError(code, sourceLocation: sourceLocation) { try notes.load() }
            expectError(code, sourceLocation: sourceLocation) { try notes.append(.salt) }
            expectError(code, sourceLocation: sourceLocation) { try notes.checkpoint() }
        }
        #expect(disk.disk.image == image, sourceLocation: sourceLocation)
    }
}
