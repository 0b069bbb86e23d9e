import Foundation

extension Journal {
    /// Reads a journal up to its first record that is not complete.
    ///
    /// - Throws: ``JournalDamage`` if the header is not complete, which no crash can leave, because
    ///   a journal gets its name after it was synced; or if a record is not complete although a
    ///   later one says that it was on stable storage.
    init(_ bytes: [UInt8]) throws(JournalDamage) {
        let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let words = header.split(separator: 0x20, omittingEmptySubsequences: false)
        guard header.count < bytes.count, words.count == 6,
            words[0].elementsEqual("directory-journal".utf8), words[1].elementsEqual("1".utf8),
            words[2].count == 32, let base = IndexFingerprint(words[3], words[4]),
            let checksum = ChecksumLine.checksum(endOf: bytes[...header.endIndex])
        else { throw JournalDamage(offset: 0) }
        let end = header.count + 1
        self.init(base: base, id: checksum, tail: Tail(end: end, checksum: checksum, durable: end))
        try read(bytes[end...])
    }

    /// Adds the complete records that `bytes` begin with; `bytes` are the file from the tail on.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(JournalDamage) {
        // The offset in the file of index 0 of `bytes`.
        let origin = tail.end - bytes.startIndex
        var rest = bytes
        while let (head, record) = Head.record(in: rest) {
            guard head.sequence == tail.sequence, head.previous == tail.checksum,
                head.durable <= tail.end
            else { break }
            records.append(record)
            rest = rest.dropFirst(record.size)
            tail.durable = max(tail.durable, head.durable)
            tail.end = origin + rest.startIndex
            tail.checksum = head.checksum
            tail.sequence += 1
        }
        guard !rest.isPadding, let last = rest.lastIndex(where: { $0 != Self.paddingByte }) else {
            tail.padding = rest.count
            return
        }
        tail.padding = 0
        // The first newline after other bytes may end a record, so it does not count as padding.
        try checkRemainder(rest[..<min(last + 2, rest.endIndex)])
    }

    /// Checks that nothing after the last complete record was ever on stable storage.
    private func checkRemainder(_ bytes: ArraySlice<UInt8>) throws(JournalDamage) {
        for newline in bytes.indices where bytes[newline] == UInt8(ascii: "\n") {
            for start in Head.starts(before: newline, in: bytes) {
                if let (head, _) = Head.record(in: bytes[start...]), head.durable > tail.end,
                    head.sequence > tail.sequence
                {
                    throw JournalDamage(offset: tail.end)
                }
            }
        }
    }

    /// The words of the first line of a record, and its checksum.
    private struct Head {
        var sequence: Int
        var previous: UInt32
        var durable: Int
        var checksum: UInt32

        /// The largest length of the line in bytes, with its newline.
        private static let maximumLength = 80

        /// The positions where the line that ends at `newline` may begin.
        ///
        /// It may begin at any digit of the first word: the newline of the record before may be
        /// among the bytes that changed.
        static func starts(before newline: Int, in bytes: ArraySlice<UInt8>) -> [Int] {
            let line = bytes[..<newline].suffix(maximumLength)
            let spaces = line.indices.reversed().filter { line[$0] == 0x20 }
            guard spaces.count >= 3 else { return [] }
            let number = line[..<spaces[2]].reversed().prefix { (0x30...0x39).contains($0) }
            return number.indices.map { $0.base - 1 }
        }

        /// The complete record that `bytes` begin with; nil if they do not begin with one.
        static func record(in bytes: ArraySlice<UInt8>) -> (Head, Record)? {
            guard let headEnd = bytes.prefix(maximumLength).firstIndex(of: UInt8(ascii: "\n"))
            else {
                return nil
            }
            var words = bytes[..<headEnd]
            guard let sequence = words.removeFirstWord().flatMap({ Int(ascii: $0) }),
                let previous = words.removeFirstWord().flatMap({ UInt32(hexadecimal: $0) }),
                let durable = words.removeFirstWord().flatMap({ Int(ascii: $0) }),
                let length = Int(ascii: words),
                length <= bytes.endIndex - headEnd - 1 - ChecksumLine.length
            else { return nil }
            let body = bytes[(headEnd + 1)...].prefix(length)
            let whole = bytes[..<(body.endIndex + ChecksumLine.length)]
            guard let checksum = ChecksumLine.checksum(endOf: whole),
                let record = Record.Body(body)
            else { return nil }
            return (
                Head(
                    sequence: sequence, previous: previous, durable: durable, checksum: checksum),
                Record(
                    body: record, sequence: sequence, size: whole.count)
            )
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether there is nothing but padding.
    fileprivate var isPadding: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = bytes.first else { return true }
            // If each byte is the same as the next one, all are. The C library compares many at a time, also in a
            // debug build.
            return first == Journal.paddingByte && memcmp(start, start + 1, bytes.count - 1) == 0
        }
    }
}

extension Journal.Record.Body {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard var words = lines.first else { return nil }
        switch words.removeFirstWord().flatMap({ $0.count == 1 ? $0.first : nil }) {
        case UInt8(ascii: "!"):
            guard lines.count == 1,
                let sequence = words.removeFirstWord().flatMap({ Int(ascii: $0) }),
                let size = words.removeFirstWord(), let index = IndexFingerprint(size, words)
            else { return nil }
            self = .checkpoint(index, through: sequence)
        case UInt8(ascii: "*"):
            guard lines.count == 1, let number = JointPart.number(words) else { return nil }
            self = .committed(number)
        case UInt8(ascii: "."):
            guard lines.count == 1, let number = JointPart.number(words) else { return nil }
            self = .ended(number)
        case UInt8(ascii: "?"):
            guard let number = words.removeFirstWord().flatMap(JointPart.number),
                let operations = Self.operations(lines.dropFirst()),
                let part = JointPart(number, words, operations)
            else { return nil }
            self = .prepared(part)
        default:
            guard let operations = Self.operations(lines[...]) else { return nil }
            self = .operations(operations)
        }
    }

    private static func operations(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [LineOperation]? {
        let operations = lines.compactMap(LineOperation.init)
        return operations.count == lines.count ? operations : nil
    }
}
