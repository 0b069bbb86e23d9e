import TestSupport
import Testing

@testable import Directory

/// The bytes of journals.
struct JournalTests {
    typealias Body = Journal.Record.Body

    /// A journal with `bodies`: its bytes, where each record begins, and its tail.
    private func make(_ bodies: [Body], durable: Bool = true) -> (
        bytes: [UInt8], starts: [Int], tail: Journal.Tail
    ) {
        var (tail, bytes) = Journal.new(for: IndexFingerprint(of: Array("[]\n".utf8)))
        var starts: [Int] = []
        for body in bodies {
            starts.append(bytes.count)
            bytes += tail.append(body)
            if durable { tail.durable = tail.end }
        }
        return (bytes, starts, tail)
    }

    private func randomBodies(_ random: inout SeededGenerator) -> [Body] {
        (0..<Int.random(in: 0...8, using: &random)).map { number in
            if Int.random(in: 0..<6, using: &random) == 0 {
                return .checkpoint(
                    IndexFingerprint(
                        length: .random(in: 0 ... .max, using: &random),
                        checksum: .random(in: 0 ... .max, using: &random)), through: number)
            }
            return .operations(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    .random(positions: 0...Int.max, by: &random)
                })
        }
    }

    @Test func writtenJournalIsReadBack() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<300 {
            let bodies = randomBodies(&random)
            let isDurable = Bool.random(using: &random)
            let (bytes, starts, tail) = make(bodies, durable: isDurable)
            let journal = try Journal(bytes)
            #expect(journal.base == IndexFingerprint(of: Array("[]\n".utf8)))
            #expect(journal.records.map(\.body) == bodies, "seed \(random.seed)")
            #expect(journal.records.map(\.sequence) == Array(bodies.indices.map { $0 + 1 }))
            let ends = starts.dropFirst() + [bytes.count]
            #expect(journal.records.map(\.size) == zip(starts, ends).map { $1 - $0 })
            #expect(journal.tail.end == bytes.count)
            #expect(journal.tail.checksum == tail.checksum)
            #expect(journal.tail.sequence == tail.sequence)
            #expect(journal.tail.durable <= bytes.count)
        }
    }

    @Test func readingInTwoPartsEqualsReadingAtOnce() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<100 {
            let (bytes, starts, _) = make(randomBodies(&random))
            let whole = try Journal(bytes)
            for split in starts {
                var parts = try Journal(Array(bytes[..<split]))
                try parts.read(Array(bytes[split...])[...])
                #expect(parts == whole, "seed \(random.seed), split at \(split)")
            }
        }
    }

    @Test func headerAndRecordAreLinesOfText() throws {
        let (bytes, starts, _) = make([
            .operations([.remove(at: 1, checksum: 7)]), .checkpoint(.init(of: []), through: 1),
        ])
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(
            lines[0].wholeMatch(of: /directory-journal 1 [0-9a-f]{32} 3 [0-9a-f]{8} [0-9a-f]{8}/)
                != nil)
        #expect(lines[1] == "1 \(lines[0].suffix(8)) \(starts[0]) 13")
        #expect(lines[2] == "- 1 00000007")
        #expect(lines[4] == "2 \(lines[3]) \(starts[1]) 15")
        #expect(lines[5] == "! 1 0 00000000")
    }

    @Test func recordsThatTheIndexLacksFollowItsCheckpoint() throws {
        let operation = Body.operations([.insert(Array("{}".utf8)[...], at: 0)])
        let (base, first) = (IndexFingerprint(of: Array("[]\n".utf8)), IndexFingerprint(of: [1]))
        let second = IndexFingerprint(of: [2])
        let (bytes, _, _) = make([
            operation, .checkpoint(first, through: 1), operation,
            .checkpoint(second, through: 1), operation,
        ])
        let journal = try Journal(bytes)
        #expect(journal.records(after: base)?.map(\.sequence) == [1, 3, 5])
        #expect(journal.records(after: first)?.map(\.sequence) == [3, 5])
        #expect(journal.records(after: second)?.map(\.sequence) == [3, 5])
        #expect(journal.records(after: IndexFingerprint(of: [3])) == nil)
    }

    @Test func recordOutOfSequenceEndsTheJournal() throws {
        let body = Body.operations([.remove(at: 1, checksum: 7)])
        let (bytes, starts, _) = make([body, body, body], durable: false)
        let (other, _, _) = make([body])
        // A repeated record, a missing one, and one of another journal.
        let again = bytes + bytes[starts[2]...]
        #expect(try Journal(again).records.count == 3)
        let without = Array(bytes[..<starts[1]] + bytes[starts[2]...])
        #expect(try Journal(without).records.count == 1)
        let mixed = Array(bytes[..<starts[0]] + other[starts[0]...])
        #expect(try Journal(mixed).records.isEmpty)
    }

    @Test func recordWithoutOperationsIsInvalid() throws {
        let (bytes, _, _) = make([.operations([])])
        #expect(try Journal(bytes).records.isEmpty)
    }

    @Test func checksumEqualsThatOfZlib() {
        #expect(CRC32.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum(of: []) == 0)
        var random = SeededGenerator()
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var plain: UInt32 = ~0
            for byte in bytes {
                plain ^= UInt32(byte)
                for _ in 0..<8 { plain = plain & 1 == 1 ? plain >> 1 ^ 0xEDB8_8320 : plain >> 1 }
            }
            #expect(CRC32.checksum(of: bytes) == ~plain)
        }
    }
}
