import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Truncates the journal and the index after each byte, and flips each of their bits: a reader gets
/// a state that was committed or an error, and changes no file.
@Suite(.timeLimit(.minutes(60))) struct DamagedByteTests {
    let image: MemoryFileSystem.Image
    let history: [[Note]]
    let journal: [UInt8]
    let index: [UInt8]
    /// The offsets of the ends of the journal's header and of each record.
    let ends: [Int]

    /// Makes a journal and an index of about 4 KiB each, and syncs both.
    init() throws {
        let disk: NotesDisk
        (disk, history) = try NotesDisk.withJournal(
            NotesDisk.edits(48),
            from: (5000..<5100).map { Note(id: $0, title: "Note number \($0)") })
        image = disk.disk.image
        journal = try disk.journalBytes
        index = try #require(try disk.bytes("notes.json"))
        ends = try disk.recordEnds
        #expect((3500...5000).contains(journal.count) && (3500...5000).contains(index.count))
    }

    /// Prints the number of cases that were tried.
    private func report(_ what: String, _ count: Int, of all: Int) {
        print("damaged bytes: \(what): \(count) of \(all)")
    }

    /// What a process reads after a file was damaged; expects that it changes no file.
    private func outcome(_ bytes: [UInt8], as name: FileName, _ place: Comment) throws
        -> Result<[Note], any Error>
    {
        let disk = try NotesDisk(image)
        try disk.write(bytes, to: name)
        let damaged = disk.disk.image
        let outcome = Result { try disk.read() }
        #expect(disk.disk.image == damaged, place)
        return outcome
    }

    /// Calls `body` with `bytes` after one bit was flipped, and with the offset of the bit's byte.
    private func forEachFlip(
        of bytes: [UInt8], step: Int, _ sweep: inout Sweep,
        _ body: ([UInt8], Int, Comment) throws -> Void
    ) rethrows {
        let bits = sweep.numbers(below: bytes.count * 8, step: step)
        report(
            "flips of a file of \(bytes.count) bytes", bits.underestimatedCount, of: bytes.count * 8
        )
        for bit in bits {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            try body(flipped, bit / 8, "bit \(bit % 8) of byte \(bit / 8), \(sweep)")
        }
    }

    private func code(_ outcome: Result<[Note], any Error>) -> DirectoryError.Code? {
        guard case .failure(let error) = outcome else { return nil }
        return (error as? DirectoryError)?.code ?? .init(rawValue: "\(error)")
    }

    /// The notes after the records that end at `offset` or before it.
    private func notes(afterRecordsUpTo offset: Int) -> [Note] {
        history[ends.count { $0 <= offset } - 1]
    }

    /// Expects that a reader of a journal with `bytes` gets `state`, or an error if that is nil.
    private func expectJournal(_ bytes: [UInt8], hasState state: [Note]?, _ place: Comment) throws {
        let outcome = try outcome(bytes, as: ".notes.journal", place)
        if let state {
            #expect(try outcome.get() == state, place)
        } else {
            #expect(code(outcome) == .journalDamaged, place)
        }
    }

    /// A truncated journal has the changes of its whole records.
    @Test func truncatedJournalIsAnEarlierState() throws {
        var sweep = Sweep()
        let counts = sweep.numbers(below: journal.count, step: 18)
        report("truncations of a journal", counts.underestimatedCount, of: journal.count)
        for count in counts {
            let place: Comment = "truncated to \(count), \(sweep)"
            let expected = count < ends[0] ? nil : notes(afterRecordsUpTo: count)
            try expectJournal(Array(journal[..<count]), hasState: expected, place)
        }
    }

    /// A flipped bit before the last record is an error, a flipped bit in that record is not.
    ///
    /// The last record says how far the journal was synced before it; a damaged last record looks
    /// like one that a power loss interrupted.
    @Test func journalWithAFlippedBitIsDamagedOrLosesItsLastRecord() throws {
        var sweep = Sweep()
        try forEachFlip(of: journal, step: 51, &sweep) { bytes, position, place in
            let isDamage = position < ends[ends.count - 2]
            try expectJournal(
                bytes, hasState: isDamage ? nil : notes(afterRecordsUpTo: position), place)
        }
    }

    @Test func newlineBeforeTheLastRecordIsChecked() throws {
        for position in ends.dropLast().map({ $0 - 1 }) {
            for byte in Sweep.cases([0, 0x20, 0x30, 0x0B, 0xFF] as [UInt8], sample: 1) {
                var bytes = journal
                bytes[position] = byte
                try expectJournal(bytes, hasState: nil, "byte \(position) is \(byte)")
            }
        }
    }

    @Test func lostSectorIsDamageUnlessItIsInTheLastRecord() throws {
        for start in stride(from: 0, to: journal.count, by: 512) {
            for byte: UInt8 in [0, 0xFF, 0x0A, 0x31] {
                let end = min(start + 512, journal.count)
                let lost = journal[..<start] + [UInt8](repeating: byte, count: end - start)
                let bytes = Array(lost + journal[end...])
                let isDamage = end <= ends[ends.count - 2]
                try expectJournal(
                    bytes, hasState: isDamage ? nil : notes(afterRecordsUpTo: start),
                    "bytes \(start)..<\(end) are \(byte)")
            }
        }
    }

    /// The journal names the length and the checksum of its index.
    @Test func damagedIndexWithAJournalIsAConflict() throws {
        var sweep = Sweep()
        let counts = sweep.numbers(below: index.count, step: 18)
        report("truncations of an index", counts.underestimatedCount, of: index.count)
        for count in counts {
            let place: Comment = "truncated to \(count), \(sweep)"
            let outcome = try outcome(Array(index[..<count]), as: "notes.json", place)
            #expect(code(outcome) == .indexConflict, place)
        }
        try forEachFlip(of: index, step: 51, &sweep) { bytes, _, place in
            let outcome = try outcome(bytes, as: "notes.json", place)
            #expect(code(outcome) == .indexConflict, place)
        }
    }

    /// Only its syntax tells whether an index without a journal is damaged.
    @Test func damagedIndexWithoutAJournalIsReadOrRefused() throws {
        var sweep = Sweep()
        let plain = try NotesDisk(image)
        do {
            let process = ProcessFileSystem(plain.disk)
            try plain.notes(on: process).checkpoint()
        }
        let whole = try #require(try plain.bytes("notes.json"))
        let notes = try plain.read()
        func outcome(_ bytes: [UInt8], _ place: Comment) throws -> Result<[Note], any Error> {
            try plain.write(bytes, to: "notes.json")
            let damaged = plain.disk.image
            let outcome = Result { try plain.read() }
            #expect(plain.disk.image == damaged, place)
            return outcome
        }
        for count in sweep.numbers(below: whole.count, step: 18) where count > 0 {
            let place: Comment = "truncated to \(count), \(sweep)"
            let outcome = try outcome(Array(whole[..<count]), place)
            if count == whole.count - 1 {
                #expect(try outcome.get() == notes)
            } else {
                #expect(code(outcome) == .damagedIndex, place)
            }
        }
        try forEachFlip(of: whole, step: 51, &sweep) { bytes, _, place in
            switch try outcome(bytes, place) {
            // One item has another value or is damaged, and its new id may be that of another item.
            case .success(let read): #expect(Set(notes).subtracting(read).count <= 2, place)
            case .failure: #expect(code(try outcome(bytes, place)) == .damagedIndex, place)
            }
        }
    }

    @Test func changeAfterATornRecordKeepsTheEarlierRecords() throws {
        var sweep = Sweep()
        for count in sweep.numbers(below: journal.count, step: 147) where count >= ends[0] {
            let disk = try NotesDisk(image)
            try disk.write(Array(journal[..<count]), to: ".notes.journal")
            let process = ProcessFileSystem(disk.disk)
            let notes = try disk.notes(on: process)
            try notes.append(.salt)
            let expected = self.notes(afterRecordsUpTo: count) + [.salt]
            #expect(Array(notes.items) == expected, "truncated to \(count), \(sweep)")
            withExtendedLifetime(notes) { process.kill() }
            #expect(try disk.read() == expected, "truncated to \(count), \(sweep)")
        }
    }
}
