import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// How commits get into the journal, and what becomes of those that fail.
@Suite struct JournalWritingTests {
    private let journalPath = "/store/.notes.journal"

    @Test func relaxedCommitsAreNotSyncedAndSayHowFarTheJournalWas() throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        // The handle that opens the index first says what holds for all but the durability.
        let durable = try disk.notes(on: process)
        let relaxed = try disk.notes(on: process, .init(durability: .relaxed))
        try relaxed.append(.eggs)
        try relaxed.append(.milk)
        let start = process.log.count
        for id in 10..<13 { try relaxed.append(Note(id: id, title: "x")) }
        #expect(!process.log[start...].contains { $0.hasPrefix("sync") })
        try durable.append(Note(id: 13, title: "y"))
        #expect(process.log[start...].filter { $0.hasPrefix("sync") } == ["sync \(journalPath)"])
        try relaxed.append(Note(id: 14, title: "z"))
        process.kill()
        #expect(try disk.read().map(\.id) == [1, 2, 10, 11, 12, 13, 14])
        // The record that made the journal was synced with it; the next synced one is the fifth.
        let ends = try recordEnds(disk)
        #expect(try durables(disk) == [ends[0], ends[1], ends[1], ends[1], ends[1], ends[5]])
    }

    /// The bytes of the journal up to the last record.
    private func records(_ disk: NotesDisk) throws -> [UInt8] {
        let bytes = try #require(try disk.bytes(".notes.journal"))
        #expect(bytes[try disk.journal.tail.end...].allSatisfy { $0 == Journal.paddingByte })
        return Array(bytes[..<(try disk.journal.tail.end)])
    }

    /// Where the header ends, and each record.
    private func recordEnds(_ disk: NotesDisk) throws -> [Int] {
        let bytes = try #require(try disk.bytes(".notes.journal"))
        let header = bytes.prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return try disk.journal.records.reduce(into: [header]) {
            $0.append($0[$0.count - 1] + $1.size)
        }
    }

    /// How far the journal was durable by what each record says.
    private func durables(_ disk: NotesDisk) throws -> [Int] {
        let bytes = try #require(try disk.bytes(".notes.journal"))
        return try recordEnds(disk).dropLast().map { start in
            let head = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
            return try #require(Int(ascii: head.split(separator: 0x20)[2]))
        }
    }

    @Test func journalWithTwoNamesIsNotWrittenTo() throws {
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
    func tornRecordIsPassedOverAndCutOff(_ length: Int) throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let whole = try records(disk)
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
        #expect(try records(disk).starts(with: whole))
        #expect(try disk.read() == (history.last ?? []) + [.salt])
        // The cut was synced before the new record was written.
        let calls = process.log.filter { $0.hasSuffix(journalPath) && !$0.hasPrefix("stat") }
        #expect(
            calls.suffix(5).map { $0.prefix { $0 != " " } } == [
                "truncate", "sync", "write", "write", "sync",
            ])
    }

    /// What goes wrong with one append.
    enum Failure: CaseIterable {
        case write, halfWritten, halfWrittenForGood, cutNotSynced, sync

        /// Whether nobody knows any more what of the journal reached the disk.
        var leavesAFileToDistrust: Bool { self != .write && self != .halfWritten }
    }

    @Test(arguments: Failure.allCases)
    func failedAppendChangesNothingAndTheNextOneWorks(_ failure: Failure) throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { [journalPath] _, call in
            guard isFailing.load(ordering: .relaxed) else { return .works }
            switch (failure, call) {
            case (.write, "write \(journalPath)"): return .fails(.noSpace)
            case (.halfWritten, "write \(journalPath)"),
                (.halfWrittenForGood, "write \(journalPath)"),
                (.cutNotSynced, "write \(journalPath)"):
                let bytes = (try? disk.bytes(".notes.journal")) ?? []
                try? disk.write(bytes + Array("6 0123".utf8), to: ".notes.journal")
                return .fails(.noSpace)
            case (.halfWrittenForGood, "truncate \(journalPath)"): return .fails(.ioError)
            case (.sync, "sync \(journalPath)"), (.cutNotSynced, "sync \(journalPath)"):
                return .fails(.ioError)
            default: return .works
            }
        }
        let notes = try disk.notes(on: process)
        try notes.load()
        let (inode, before) = (
            try disk.identity(of: ".notes.journal"), try records(disk)
        )
        isFailing.store(true, ordering: .relaxed)
        expectError(failure == .sync ? .ioFailure : .noSpace) { try notes.append(.salt) }
        isFailing.store(false, ordering: .relaxed)
        #expect(Array(notes.items) == history.last)
        #expect(try disk.read() == history.last)
        // A file whose sync failed is not used again.
        let isSameFile = try disk.identity(of: ".notes.journal") == inode
        #expect(isSameFile == !failure.leavesAFileToDistrust)
        #expect(try records(disk) == before)
        try notes.append(.salt)
        try notes.append(.milk)
        process.kill()
        #expect(try disk.read() == (history.last ?? []) + [.salt, .milk])
        _ = try records(disk)
    }

    /// The same where it was another process whose record is torn.
    @Test func fileThatCannotBeCutOffIsNotUsedAgain() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let whole = try records(disk)
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
        #expect(try records(disk) == whole)
        try notes.append(.milk)
        process.kill()
        #expect(try disk.read() == (history.last ?? []) + [.milk])
    }

    @Test func syncThatCanNeitherWorkNorBeUndoneLeavesTheCollectionInDoubt() throws {
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
        // Nothing is written until another process has looked at what is there.
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

    @Test func indexThatIsGoneBesideAJournalIsAConflict() throws {
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

    @Test func journalWithoutAWholeHeaderIsDamaged() throws {
        let (disk, _) = try NotesDisk.withJournal(NotesDisk.edits(3))
        let whole = try #require(try disk.bytes(".notes.journal"))
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

    /// Expects that neither a load nor a change works nor touches anything.
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
