import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Cuts the journal and the index off at each byte, and flips each bit of them: what is read is a
/// state that was committed, or an error, and no file is touched by reading.
@Suite(.timeLimit(.minutes(60))) struct DamagedByteTests {
    let image: MemoryFileSystem.Image
    let history: [[Note]]
    let journal: [UInt8]
    let index: [UInt8]
    /// Where the header of the journal ends, and each record.
    let ends: [Int]

    /// A journal and an index of about 4 KiB each, all of it synced.
    init() throws {
        let disk: NotesDisk
        (disk, history) = try NotesDisk.withJournal(
            NotesDisk.edits(48),
            from: (5000..<5100).map { Note(id: $0, title: "Note number \($0)") })
        image = disk.disk.image
        journal = try #require(try disk.bytes(".notes.journal"))
        index = try #require(try disk.bytes("notes.json"))
        let header = journal.prefix { $0 != UInt8(ascii: "\n") }.count + 1
        ends = try disk.journal.records.reduce(into: [header]) {
            $0.append($0[$0.count - 1] + $1.size)
        }
        #expect((3500...5000).contains(journal.count) && (3500...5000).contains(index.count))
    }

    /// Says how much was tried.
    private func report(_ what: String, _ count: Int, of all: Int) {
        print("damaged bytes: \(what): \(count) of \(all)")
    }

    /// What opening finds where a file has other bytes; expects that this touches nothing.
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

    private func flips(of bytes: [UInt8], step: Int, _ body: ([UInt8], Int, Comment) throws -> Void)
        rethrows
    {
        let bits = Sweep.numbers(below: bytes.count * 8, step: step)
        report(
            "flips of a file of \(bytes.count) bytes", bits.underestimatedCount, of: bytes.count * 8
        )
        for bit in bits {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            try body(flipped, bit / 8, "bit \(bit % 8) of byte \(bit / 8)")
        }
    }

    private func code(_ outcome: Result<[Note], any Error>) -> DirectoryError.Code? {
        guard case .failure(let error) = outcome else { return nil }
        return (error as? DirectoryError)?.code ?? .init(rawValue: "\(error)")
    }

    /// A journal that ends early holds what its whole records say.
    @Test func journalThatIsCutOffIsShorterHistory() throws {
        let counts = Sweep.numbers(below: journal.count, step: 11)
        report("truncations of a journal", counts.underestimatedCount, of: journal.count)
        for count in counts {
            let place: Comment = "cut off at \(count)"
            let outcome = try outcome(Array(journal[..<count]), as: ".notes.journal", place)
            if count < ends[0] {
                #expect(code(outcome) == .journalDamaged, place)
            } else {
                let records = ends.count { $0 <= count } - 1
                #expect(try outcome.get() == history[records], place)
            }
        }
    }

    /// A flip in what a later record says was synced is told; one in the last record cannot be
    /// told from a record that was being written when the power went.
    @Test func journalWithAFlippedBitIsDamagedOrWithoutItsLastRecord() throws {
        try flips(of: journal, step: 101) { bytes, position, place in
            let outcome = try outcome(bytes, as: ".notes.journal", place)
            if position < ends[ends.count - 2] {
                #expect(code(outcome) == .journalDamaged, place)
            } else {
                let isPadding = position >= ends[ends.count - 1]
                #expect(try outcome.get() == history[history.count - (isPadding ? 1 : 2)], place)
            }
        }
    }

    @Test func newlineBetweenTheLastTwoRecordsIsNotPassedOver() throws {
        for position in ends.dropLast().map({ $0 - 1 }) {
            for byte: UInt8 in [0, 0x20, 0x30, 0x0B, 0xFF] {
                var bytes = journal
                bytes[position] = byte
                let place: Comment = "byte \(position) is \(byte)"
                #expect(
                    code(try outcome(bytes, as: ".notes.journal", place)) == .journalDamaged, place)
            }
        }
    }

    @Test func sectorThatWasLostIsDamageUnlessItIsTheLast() throws {
        for start in stride(from: 0, to: journal.count, by: 512) {
            for byte: UInt8 in [0, 0xFF, 0x0A, 0x31] {
                let end = min(start + 512, journal.count)
                let lost = journal[..<start] + [UInt8](repeating: byte, count: end - start)
                let bytes = Array(lost + journal[end...])
                let place: Comment = "bytes \(start)..<\(end) are \(byte)"
                let outcome = try outcome(bytes, as: ".notes.journal", place)
                if end <= ends[ends.count - 2] {
                    #expect(code(outcome) == .journalDamaged, place)
                } else {
                    let records = ends.count { $0 <= start } - 1
                    #expect(try outcome.get() == history[records], place)
                }
            }
        }
    }

    /// The journal says what it belongs to, so an index that changed is never taken for that.
    @Test func indexWithAJournalIsWholeOrAConflict() throws {
        let counts = Sweep.numbers(below: index.count, step: 11)
        report("truncations of an index", counts.underestimatedCount, of: index.count)
        for count in counts {
            let place: Comment = "cut off at \(count)"
            let outcome = try outcome(Array(index[..<count]), as: "notes.json", place)
            #expect(code(outcome) == .indexConflict, place)
        }
        try flips(of: index, step: 101) { bytes, _, place in
            let outcome = try outcome(bytes, as: "notes.json", place)
            #expect(code(outcome) == .indexConflict, place)
        }
    }

    /// Without a journal nothing but its syntax tells whether an index is what was written.
    @Test func indexAloneIsReadOrRefused() throws {
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
        for count in Sweep.numbers(below: whole.count, step: 11) where count > 0 {
            let place: Comment = "cut off at \(count)"
            let outcome = try outcome(Array(whole[..<count]), place)
            if count == whole.count - 1 {
                #expect(try outcome.get() == notes)
            } else {
                #expect(code(outcome) == .damagedIndex, place)
            }
        }
        try flips(of: whole, step: 101) { bytes, _, place in
            switch try outcome(bytes, place) {
            // One element has another value or is set aside as damaged; with it one whose id it has.
            case .success(let read): #expect(Set(notes).subtracting(read).count <= 2, place)
            case .failure: #expect(code(try outcome(bytes, place)) == .damagedIndex, place)
            }
        }
    }

    /// The store goes on from what could be read.
    @Test func changeAfterATornTailKeepsTheRest() throws {
        for count in Sweep.numbers(below: journal.count, step: 97) where count >= ends[0] {
            let disk = try NotesDisk(image)
            try disk.write(Array(journal[..<count]), to: ".notes.journal")
            let process = ProcessFileSystem(disk.disk)
            let notes = try disk.notes(on: process)
            try notes.append(.salt)
            let expected = history[ends.count { $0 <= count } - 1] + [.salt]
            #expect(Array(notes.items) == expected, "cut off at \(count)")
            withExtendedLifetime(notes) { process.kill() }
            #expect(try disk.read() == expected, "cut off at \(count)")
        }
    }
}
