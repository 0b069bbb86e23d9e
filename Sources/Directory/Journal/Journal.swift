/// The committed changes that an index does not hold yet, as lines of text.
///
/// The first line is the header: which index the journal belongs to. Each record that follows is
/// one commit, or a checkpoint: a line with its sequence number, the checksum of what precedes
/// it, how far the journal was on stable storage when it was written, and the length of what
/// follows; then a line for each operation; then its own checksum. A record that is not whole
/// ends the journal. Empty lines follow, which the next records are written over.
struct Journal: Hashable, Sendable {
    /// The index that the records change.
    var base: IndexFingerprint
    var records: [Record] = []
    var tail: Tail

    struct Record: Hashable, Sendable {
        enum Body: Hashable, Sendable {
            case operations([LineOperation])
            /// An index that is about to take its place holds everything up to a sequence number.
            case checkpoint(IndexFingerprint, through: Int)
        }
        var body: Body
        var sequence: Int
        /// In bytes.
        var size: Int

        /// What a commit did; nothing for a checkpoint.
        var operations: [LineOperation] {
            if case .operations(let operations) = body { operations } else { [] }
        }
    }

    /// Where and how the next record begins.
    struct Tail: Hashable, Sendable {
        /// The offset of the next record.
        var end: Int
        /// The checksum of the record before it, or of the header.
        var checksum: UInt32
        /// The sequence number of the next record; the first is 1.
        var sequence = 1
        /// The offset up to which the journal is known to be on stable storage.
        var durable: Int
        /// The number of bytes behind `end` that are padding, where nothing else follows.
        var room = 0

        /// The bytes before `end`: the checksum of the last record, or of the header.
        var ending: [UInt8] { Array("\(checksum.hexadecimal)\n".utf8) }
    }

    /// What the file ends with, to be written over.
    static let padding = UInt8(ascii: "\n")
}

/// What tells the bytes of an index from any others: their number and their CRC-32.
struct IndexFingerprint: Hashable, Sendable {
    var length = 0
    var checksum: UInt32 = 0

    init(length: Int, checksum: UInt32) {
        self.length = length
        self.checksum = checksum
    }

    init(of bytes: [UInt8]) {
        self.init(length: bytes.count, checksum: CRC32.checksum(of: bytes))
    }

    /// The length in decimal and the checksum in hexadecimal.
    var text: String { "\(length) \(checksum.hexadecimal)" }
}

/// Bytes of a journal that were on stable storage are no longer what was written.
struct JournalDamage: Error, Hashable {
    var offset: Int
}

extension Journal {
    /// The bytes of a journal without records, and where its first record begins.
    static func new(for base: IndexFingerprint) -> (tail: Tail, bytes: [UInt8]) {
        var bytes = Array("directory-journal 1 \(IndexNames.newTransaction()) \(base.text) ".utf8)
        let checksum = CRC32.checksum(of: bytes)
        bytes += "\(checksum.hexadecimal)\n".utf8
        let tail = Tail(end: bytes.count, checksum: checksum, durable: bytes.count)
        return (tail, bytes)
    }

    /// The commits that an index with `fingerprint` does not hold yet; nil where the journal does
    /// not belong to it.
    func records(after fingerprint: IndexFingerprint) -> [Record]? {
        let held = records.last { record in
            if case .checkpoint(fingerprint, _) = record.body { true } else { false }
        }
        var sequence = 0
        if case .checkpoint(_, let through)? = held?.body {
            sequence = through
        } else if base != fingerprint {
            return nil
        }
        return records.filter { record in
            if case .operations = record.body { record.sequence > sequence } else { false }
        }
    }
}

extension Journal.Tail {
    /// Returns the bytes of a record that begins here, and moves behind it.
    mutating func append(_ body: Journal.Record.Body) -> [UInt8] {
        var lines: [UInt8] = []
        switch body {
        case .operations(let operations):
            for operation in operations { operation.append(to: &lines) }
        case .checkpoint(let index, let sequence):
            lines += "! \(sequence) \(index.text)\n".utf8
        }
        let head = "\(sequence) \(checksum.hexadecimal) \(durable) \(lines.count)\n"
        var bytes = Array(head.utf8) + lines
        checksum = CRC32.checksum(of: bytes)
        bytes += ending
        end += bytes.count
        room = max(0, room - bytes.count)
        sequence += 1
        return bytes
    }
}
