import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// The empty lines behind the last record, which the next ones are written over: so the size of a
/// journal does not tell whether it has more records.
@Suite struct JournalPaddingTests {
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

    private func kill() { processes.forEach { $0.kill() } }

    private var size: Int { get throws { try #require(try disk.bytes(".notes.journal")).count } }

    @Test func durableRecordsAreWrittenOverPaddingUntilNoneIsLeft() throws {
        var sizes = [try size]
        for id in 10..<30 {
            try writer.append(Note(id: id, title: "x"))
            sizes.append(try size)
        }
        let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
        #expect(steps.contains(0) && steps.contains { $0 > 300 })
        kill()
        #expect(try disk.read().map(\.id) == [1, 2] + Array(10..<30))
    }

    @Test func relaxedRecordsAddNoPadding() throws {
        let relaxed = try disk.notes(on: processes[0], .init(durability: .relaxed))
        for id in 10..<20 { try relaxed.append(Note(id: id, title: "x")) }
        #expect(try disk.journal.tail.end == size)
        kill()
    }

    @Test func recordsOfOthersAreNoticedWhereTheSizeIsTheSame() throws {
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
        kill()
    }

    /// Who closes a collection folds what it knows into the index, unless there is more.
    @Test func recordsOfOthersAreNoticedByAClose() throws {
        do {
            let process = ProcessFileSystem(disk.disk)
            let third = try disk.notes(on: process, growth: 300)
            try third.append(.salt)
            let before = try size
            try writer.update(Note(id: 1, title: "Eg"))
            try #require(try size == before)
        }
        kill()
        #expect(try disk.read().map(\.title) == ["Eg", "Milk", "Salt"])
    }

    /// The torn record is of a writer that died while this process had the journal open.
    @Test func tornRecordIsCutOffByAClose() throws {
        let process = ProcessFileSystem(disk.disk)
        do {
            let third = try disk.notes(on: process, growth: 300)
            try third.append(.salt)
            var bytes = try #require(try disk.bytes(".notes.journal"))
            bytes[try disk.journal.tail.end] = UInt8(ascii: "4")
            try disk.write(bytes, to: ".notes.journal")
        }
        #expect(process.log.contains("truncate /store/.notes.journal"))
        kill()
        #expect(try disk.bytes(".notes.journal") == nil)
        #expect(try disk.read() == [.eggs, .milk, .salt])
    }

    /// A reader without the lock can look while a record is being written.
    @Test func recordThatIsSeenInPartIsReadOnceItIsWhole() throws {
        try writer.append(.salt)
        let whole = try #require(try disk.bytes(".notes.journal"))
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
        kill()
    }

    @Test func whatIsNeitherPaddingNorARecordIsCutOff() throws {
        var bytes = try #require(try disk.bytes(".notes.journal"))
        let used = try disk.journal.tail.end
        bytes[bytes.count - 3] = 0
        try disk.write(bytes, to: ".notes.journal")
        kill()
        #expect(try disk.journal.tail.padding == 0)
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.append(.salt)
        #expect(process.log.contains("truncate /store/.notes.journal"))
        withExtendedLifetime(notes) { process.kill() }
        #expect(try disk.read() == [.eggs, .milk, .salt])
        #expect(try !#require(try disk.bytes(".notes.journal"))[used...].contains(0))
    }

    /// A sync program, or a person, can do that while the collection is open.
    @Test(arguments: [0, 0.5, 0.9]) func journalThatIsCutOffMeanwhileIsNotFilledUp(_ part: Double)
        throws
    {
        let used = try disk.journal.tail.end
        let bytes = try #require(try disk.bytes(".notes.journal"))
        try disk.write(Array(bytes.prefix(Int(Double(used) * part))), to: ".notes.journal")
        let before = try disk.bytes(".notes.journal")
        let isAdded = (try? writer.append(.salt)) != nil
        kill()
        if isAdded {
            #expect(try disk.read() == [.eggs, .salt])
        } else {
            #expect(try disk.bytes(".notes.journal") == before)
        }
    }

    @Test func olderJournalThatWasPutBackIsNotMistaken() throws {
        let older = try #require(try disk.bytes(".notes.journal"))
        try writer.update(Note(id: 1, title: "Eg"))
        try disk.write(older, to: ".notes.journal")
        try #require(try size == older.count)
        try writer.append(.salt)
        #expect(writer.items.map(\.title) == ["Eggs", "Milk", "Salt"])
        kill()
        #expect(try disk.read() == [.eggs, .milk, .salt])
    }

    /// The disk is full but for the record itself.
    @Test func recordDoesNotNeedItsPadding() throws {
        let isFull = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isFull.exchange(call.hasPrefix("write /store/.notes.journal"), ordering: .relaxed)
                && call.hasPrefix("write") ? .fails(.noSpace) : .works
        }
        let notes = try disk.notes(on: process)
        for id in 10..<20 { try notes.append(Note(id: id, title: "x")) }
        withExtendedLifetime(notes) { process.kill() }
        #expect(try disk.read().map(\.id) == [1, 2] + Array(10..<20))
        kill()
    }
}
