import FileSystem

/// The commits that an index does not contain yet, as lines of text.
///
/// The first line is the header, which identifies the index. Then follow records, each of them one
/// commit or one checkpoint:
/// - a line with the sequence number, the checksum of the record before (or of the header), how far
///   the journal was on stable storage when the record was written, and the length of the body,
/// - the body: a line for each operation,
/// - a line with the checksum of the record.
///
/// The first record that is not complete ends the journal. Padding follows: newlines, which the
/// next records overwrite.
struct Journal: Hashable, Sendable {
    /// The index that the first record changes.
    var base: IndexFingerprint
    /// The checksum of the header, which has random digits: no other journal has it, except a copy of this one.
    let id: UInt32
    var records: [Record] = []
    var tail: Tail

    struct Record: Hashable, Sendable {
        enum Body: Hashable, Sendable {
            case operations([LineOperation])
            /// The index with this fingerprint, which replaces the current one next, contains the
            /// records up to a sequence number.
            case checkpoint(IndexFingerprint, through: Int)
            /// The part of the index in a write to several collections, until the next record says what becomes of it.
            case prepared(JointPart)
            /// The write to several collections with this number takes place.
            case committed(String)
            /// Nothing of the write to several collections with this number is left to do here.
            case ended(String)
        }
        var body: Body
        var sequence: Int
        /// The length of the whole record in bytes.
        var size: Int

        var isCheckpoint: Bool { if case .checkpoint = body { true } else { false } }
    }

    /// The end of a journal, after which the next record is written.
    struct Tail: Hashable, Sendable {
        /// The offset of the next record.
        var end: Int
        /// The checksum of the last record, or of the header.
        var checksum: UInt32
        /// The sequence number of the next record; the first is 1.
        var sequence = 1
        /// The offset up to which the journal is known to be on stable storage.
        var durable: Int
        /// The number of bytes of padding from `end` on; 0 if anything else follows as well.
        var padding = 0

        /// The most bytes that the records take which end a part in a write to several collections.
        static let spaceToEnd = 512

        /// The last bytes before `end`.
        var checksumLine: [UInt8] { ChecksumLine.bytes(checksum) }
    }

    /// The byte that padding consists of.
    static let paddingByte = UInt8(ascii: "\n")
}

extension Journal {
    /// The bytes of a journal without records, and its tail.
    static func new(for base: IndexFingerprint) -> (tail: Tail, bytes: [UInt8]) {
        var bytes = Array("directory-journal 1 \(RandomName.digits()) \(base.text) ".utf8)
        let checksum = ChecksumLine.append(to: &bytes)
        let tail = Tail(end: bytes.count, checksum: checksum, durable: bytes.count)
        return (tail, bytes)
    }

    /// The records that an index with `fingerprint` does not contain yet, without checkpoints; nil if the journal
    /// belongs to another index.
    func records(after fingerprint: IndexFingerprint) -> [Record]? {
        let checkpoint = records.last { record in
            if case .checkpoint(fingerprint, _) = record.body { true } else { false }
        }
        var sequence = 0
        if case .checkpoint(_, let through)? = checkpoint?.body {
            sequence = through
        } else if base != fingerprint {
            return nil
        }
        return records.filter { $0.sequence > sequence && !$0.isCheckpoint }
    }
}

extension Journal.Tail {
    /// Returns the bytes of the next record, and moves the tail to its end.
    mutating func append(_ body: Journal.Record.Body) -> [UInt8] {
        var lines: [UInt8] = []
        switch body {
        case .operations(let operations):
            lines.reserveCapacity(operations.reduce(0) { $0 + $1.size + 16 })
            for operation in operations { operation.append(to: &lines) }
        case .checkpoint(let index, let sequence):
            lines += "! \(sequence) \(index.text)\n".utf8
        case .prepared(let part):
            lines += "? \(part.number) ".utf8
            lines += part.line
            lines.append(UInt8(ascii: "\n"))
            for operation in part.operations { operation.append(to: &lines) }
        case .committed(let number):
            lines += "* \(number)\n".utf8
        case .ended(let number):
            lines += ". \(number)\n".utf8
        }
        var bytes = head(ofLength: lines.count)
        bytes.append(contentsOf: lines)
        checksum = ChecksumLine.append(to: &bytes)
        end += bytes.count
        padding = max(0, padding - bytes.count)
        sequence += 1
        return bytes
    }

    /// The first line of the next record, whose body has `length` bytes; with space for the rest of the record.
    private func head(ofLength length: Int) -> [UInt8] {
        var line: [UInt8] = []
        // Three numbers of at most 20 digits, and the checksums at both ends.
        line.reserveCapacity(length + 96)
        line.append(decimal: sequence)
        line.append(UInt8(ascii: " "))
        line.append(hexadecimal: checksum)
        line.append(UInt8(ascii: " "))
        line.append(decimal: durable)
        line.append(UInt8(ascii: " "))
        line.append(decimal: length)
        line.append(UInt8(ascii: "\n"))
        return line
    }
}
