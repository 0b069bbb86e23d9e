import DirectoryTestSupport
import FileSystem
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// The padding after the last record, which the next records replace.
///
/// Because of it, the size of a journal does not tell whether there are new records.
struct JournalPaddingTests {
    private let disk: NotesDisk
    private let processes: [ProcessFileSystem]
    private let writer: Directory<Note>
    private let other: Directory<Note>

    init() throws {
        disk = try NotesDisk()
        processes = [ProcessFileSystem(disk.disk), ProcessFileSystem(disk.disk)]
        writer = try disk.notes(on: processes[0], growth: 300)
        other = try disk.notes(on: processes[1], growth: 300)
        try writer.append(.eggs)
        try writer.append(.milk)
    }

    private func killAll() { processes.forEach { $0.kill() } }

    private var size: Int { get throws { try disk.journalBytes.count } }

    @Test func durableRecordsReplacePaddingUntilNoneIsLeft() throws {
        var sizes = [try size]
        for id in 10..<30 {
            try writer.append(Note(id: id, title: "x"))
            sizes.append(try size)
        }
        let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
        #expect(steps.contains(0) && steps.contains { $0 > 300 })
        killAll()
        #expect(try disk.read().map(\.id) == [1, 2] + Array(10..<30))
    }

    @Test func relaxedRecordsAddNoPadding() throws {
        let relaxed = try disk.notes(
            on: processes[0], .init(durability: .relaxed), growth: 300)
        for id in 10..<20 { try relaxed.append(Note(id: id, title: "x")) }
        #expect(try disk.journal.tail.end == size)
        killAll()
    }

    @Test func recordsOfOthersAreReadAlthoughTheSizeIsTheSame() throws {
        try other.load()
        let before = try size
        try writer.update(Note(id: 1, title: "Eg"))
        try #require(try size == before)
        try other.load()
        #expect(other.items.map(\.title) == ["Eg", "Milk"])
        try other.update(Note(id: 2, title: "Mi"))
        try #require(try size == before)
        try writer.append(.salt)
        #expect(writer.items.map(\.title) == ["Eg", "Mi", "Salt"])
        killAll()
    }

    /// A close writes the journal into the index, unless there are records that it has not read.
    @Test func closeKeepsRecordsOfOthers() throws {
        do {
            let process = ProcessFileSystem(disk.disk)
            let third = try disk.notes(on: process, growth: 300)
            try third.append(.salt)
            let before = try size
            try writer.update(Note(id: 1, title: "Eg"))
            try #require(try size == before)
        }
        killAll()
        #expect(try disk.read().map(\.title) == ["Eg", "Milk", "Salt"])
    }

    /// The torn record is that of a process that died while this one had the journal open.
    @Test func closeTruncatesATornRecord() throws {
        let process = ProcessFileSystem(disk.disk)
        do {
            let third = try disk.notes(on: process, growth: 300)
            try third.append(.salt)
            var bytes = try disk.journalBytes
            bytes[try disk.journal.tail.end] = UInt8(ascii: "4")
            try disk.write(bytes, to: ".notes.journal")
        }
        #expect(process.log.contains("truncate /store/.notes.journal"))
        killAll()
        #expect(try disk.bytes(".notes.journal") == nil)
        #expect(try disk.read() == [.eggs, .milk, .salt])
    }

    /// A reader takes no lock, so it can read while a record is being written.
    @Test func recordThatWasReadInPartIsReadAgain() throws {
        try writer.append(.salt)
        let whole = try disk.journalBytes
        let used = try disk.journal.tail.end
        let record = used - (try #require(try disk.journal.records.last).size)
        for length in [1, 30, used - record - 1] {
            let partly = whole.enumerated().map { position, byte in
                (record + length..<used).contains(position) ? Journal.paddingByte : byte
            }
            try disk.write(partly, to: ".notes.journal")
            let reading = ProcessFileSystem(disk.disk)
            let reader = try disk.notes(on: reading)
            try reader.load()
            let isSeen = length == used - record - 1
            #expect(reader.items.map(\.title) == ["Eggs", "Milk"] + (isSeen ? ["Salt"] : []))
            try disk.write(whole, to: ".notes.journal")
            try reader.load()
            #expect(reader.items.map(\.title) == ["Eggs", "Milk", "Salt"])
            withExtendedLifetime(reader) { reading.kill() }
        }
        killAll()
    }

    @Test func tailThatIsNeitherPaddingNorARecordIsTruncated() throws {
        var bytes = try disk.journalBytes
        let used = try disk.journal.tail.end
        bytes[bytes.count - 3] = 0
        try disk.write(bytes, to: ".notes.journal")
        killAll()
        #expect(try disk.journal.tail.padding == 0)
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.append(.salt)
        #expect(process.log.contains("truncate /store/.notes.journal"))
        withExtendedLifetime(notes) { process.kill() }
        #expect(try disk.read() == [.eggs, .milk, .salt])
        #expect(try !#require(try disk.bytes(".notes.journal"))[used...].contains(0))
    }

    /// Another program can truncate the journal while the collection is open.
    @Test(arguments: [0, 0.5, 0.9]) func commitDoesNotFillUpATruncatedJournal(_ part: Double)
        throws
    {
        let used = try disk.journal.tail.end
        let bytes = try disk.journalBytes
        try disk.write(Array(bytes.prefix(Int(Double(used) * part))), to: ".notes.journal")
        let before = try disk.bytes(".notes.journal")
        let isAdded = (try? writer.append(.salt)) != nil
        killAll()
        if isAdded {
            #expect(try disk.read() == [.eggs, .salt])
        } else {
            #expect(try disk.bytes(".notes.journal") == before)
        }
    }

    /// An older journal has the same size, because of the padding.
    @Test func olderJournalThatWasRestoredIsNoticed() throws {
        let older = try disk.journalBytes
        try writer.update(Note(id: 1, title: "Eg"))
        try disk.write(older, to: ".notes.journal")
        try #require(try size == older.count)
        expectError(.journalMissing) { try writer.append(.salt) }
        #expect(writer.items.map(\.title) == ["Eg", "Milk"])
        try writer.repair()
        killAll()
        #expect(try disk.read().map(\.title) == ["Eg", "Milk"])
    }

    /// The disk has space for the record only.
    @Test func recordIsWrittenEvenIfItsPaddingCannotBe() throws {
        let isFull = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isFull.exchange(call.hasPrefix("write /store/.notes.journal"), ordering: .relaxed)
                && call.hasPrefix("write") ? .fails(.noSpace) : .works
        }
        let notes = try disk.notes(on: process)
        for id in 10..<20 { try notes.append(Note(id: id, title: "x")) }
        withExtendedLifetime(notes) { process.kill() }
        #expect(try disk.read().map(\.id) == [1, 2] + Array(10..<20))
        killAll()
    }
}
