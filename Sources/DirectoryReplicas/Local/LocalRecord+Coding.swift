import Directory
import FileSystem

extension LocalRecord {
    /// The record as bytes: a line with its kind and the length of its payload, the payload, a newline, and a line with
    /// the checksum.
    var bytes: [UInt8] {
        let (kind, payload) = parts
        var bytes = Array("\(kind) \(payload.count)\n".utf8) + payload + [UInt8(ascii: "\n")]
        ChecksumLine.append(to: &bytes)
        return bytes
    }

    /// The length of what follows a payload in its record.
    private static let endLength = 1 + ChecksumLine.length

    private var parts: (kind: String, payload: ArraySlice<UInt8>) {
        switch self {
        case .state(let bytes): ("state", bytes)
        case .rest(let rest): ("rest", rest.bytes[...])
        case .published(let segments, let change):
            ("own", Self.join(segments.flatMap(\.bytes), change.bytes)[...])
        case .joined(let segments): ("joined", segments.flatMap(\.bytes)[...])
        case .imported(let change): ("imported", change.bytes[...])
        case .files(let names): ("files", Self.bytes(of: names)[...])
        }
    }

    /// The same record, read from its bytes.
    var asRead: Self {
        get throws {
            let (kind, payload) = parts
            return try Self(kind: kind, payload)
        }
    }

    /// Both, behind a line with the length of the first one.
    private static func join(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        Array("\(first.count)\n".utf8) + first + second
    }

    fileprivate static func bytes(of names: Set<SegmentName>) -> [UInt8] {
        Array(names.map(\.text).sorted().map { "\($0)\n" }.joined().utf8)
    }

    fileprivate static func names(_ bytes: ArraySlice<UInt8>) throws -> Set<SegmentName> {
        var lines = Lines(bytes)
        var names: Set<SegmentName> = []
        while let line = try lines.next() {
            guard
                let name = FileName(String(decoding: line, as: UTF8.self)).flatMap(SegmentName.init)
            else { throw LineFields.invalid("files") }
            names.insert(name)
        }
        return names
    }

    private init(kind: String, _ payload: ArraySlice<UInt8>) throws {
        switch kind {
        case "state": self = .state(bytes: payload)
        case "rest": self = .rest(try LocalRest(payload))
        case "own":
            var lines = Lines(payload)
            guard let first = try lines.next(),
                let count = Int(String(decoding: first, as: UTF8.self)),
                case let start = payload.startIndex + first.count + 1,
                (0...payload.endIndex - start).contains(count)
            else { throw LineFields.invalid("a record") }
            self = .published(
                try Segment.read(payload[start..<start + count]),
                try BaseChange(payload[(start + count)...]))
        case "joined": self = .joined(try Segment.read(payload))
        case "imported": self = .imported(try BaseChange(payload))
        case "files": self = .files(try Self.names(payload))
        default: throw FormatError("a record of an unknown kind", isNewer: true)
        }
    }

    /// Reads the records of a file, up to the first one that is not whole: a power loss cut it off.
    ///
    /// - Returns: The records, and the length of the file up to there.
    /// - Throws: ``FormatError`` if a record that was whole once is damaged.
    static func read(_ bytes: [UInt8]) throws -> (records: [LocalRecord], length: Int) {
        var records: [LocalRecord] = []
        var position = 0
        while position < bytes.count,
            let found = try whole(bytes[position...], isFirst: position == 0)
        {
            records.append(try LocalRecord(kind: found.kind, found.payload))
            position = found.payload.endIndex + endLength
        }
        // The file got its name when both records of a whole state were on stable storage.
        if case .state = records.last { throw FormatError("the rest of its state is damaged") }
        return (records, position)
    }

    /// The record that `rest` begins with; nil if it is the last one, and was cut off.
    private static func whole(_ rest: ArraySlice<UInt8>, isFirst: Bool) throws
        -> (kind: String, payload: ArraySlice<UInt8>)?
    {
        let found = record(in: rest)
        if let found, found.isWhole { return (found.kind, found.payload) }
        // A file got its name, and what follows a record was written, when that was on stable storage.
        let isDamaged =
            isFirst || found.map { $0.payload.endIndex + endLength < rest.endIndex } == true
            || rest.indices.contains {
                rest[$0] == UInt8(ascii: "\n") && record(in: rest[($0 + 1)...])?.isWhole == true
            }
        if isDamaged { throw FormatError("a record is damaged") }
        return nil
    }

    /// The record that `bytes` begins with, and whether it is as it was written; nil if they do not have all of it.
    private static func record(in bytes: ArraySlice<UInt8>)
        -> (kind: String, payload: ArraySlice<UInt8>, isWhole: Bool)?
    {
        guard let end = bytes.prefix(128).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let parts = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let count = Int(parts[1]), count >= 0,
            count <= bytes.endIndex - end - 1 - endLength
        else { return nil }
        let payload = bytes[(end + 1)..<(end + 1 + count)]
        let whole = bytes[..<(payload.endIndex + endLength)]
        return (String(parts[0]), payload, ChecksumLine.checksum(endOf: whole) != nil)
    }
}

extension LocalRest {
    /// In bytes: the sizes that changes can have.
    static let sizes = 0...(1 << 50)

    fileprivate var bytes: [UInt8] {
        var writer = LineWriter()
        writer.line { line in
            line.member("format", Format.version)
            line.member("device", device.description)
            if let asked { line.write(asked) }
            line.name("networks")
            line.array { array in for id in networks.sorted() { array.element(id.description) } }
            line.member("number", number)
            line.member("size", sizeOfChanges)
            line.name("states")
            line.array { array in for state in joinedStates.sorted() { array.element(state) } }
            line.name("files")
            line.array { array in
                for name in files.map(\.text).sorted() { array.element(name) }
            }
            line.name("outgoing")
            line.array { array in
                for file in outgoing {
                    array.element(file.device.description)
                    array.element(file.name.text)
                    array.element(file.bytes.count)
                }
            }
        }
        return writer.bytes + outgoing.flatMap(\.bytes) + base.bytes
    }

    fileprivate init(_ bytes: ArraySlice<UInt8>) throws {
        var lines = Lines(bytes)
        guard let first = try lines.next() else { throw FormatError("a record is empty") }
        let fields = try LineFields(first)
        let format = try fields.needed("format", 1...Int(Int32.max))
        guard format == Format.version else {
            throw FormatError("it has format \(format)", isNewer: true)
        }
        device = try LineFields.device(fields.needed("device"))
        asked = try fields.asked
        networks = Set(
            try (fields.list("networks") ?? []).map { value in
                guard let id = NetworkID(try LineFields.text(value, "networks")) else {
                    throw LineFields.invalid("networks")
                }
                return id
            })
        number = try fields.needed("number", 0...Limits.numbers.upperBound)
        sizeOfChanges = try fields.needed("size", Self.sizes)
        joinedStates = Set(
            try (fields.list("states", limit: .max) ?? []).map { try LineFields.text($0, "states") }
        )
        files = Set(try (fields.list("files", limit: .max) ?? []).map { try Self.name($0) })
        outgoing = []
        var start = first.endIndex + 1
        let parts = try fields.list("outgoing", limit: .max) ?? []
        for index in stride(from: 0, to: parts.count - 2, by: 3) {
            let count = try LineFields.number(parts[index + 2], "outgoing", 0...bytes.count)
            guard start + count <= bytes.endIndex else { throw LineFields.invalid("outgoing") }
            outgoing.append(
                OutgoingFile(
                    device: try LineFields.device(LineFields.text(parts[index], "outgoing")),
                    name: try Self.name(parts[index + 1]),
                    bytes: Array(bytes[start..<start + count])))
            start += count
        }
        base = try BaseChange(bytes[start...])
    }

    private static func name(_ value: ArraySlice<UInt8>) throws -> SegmentName {
        guard let name = FileName(try LineFields.text(value, "files")).flatMap(SegmentName.init)
        else { throw LineFields.invalid("files") }
        return name
    }
}
