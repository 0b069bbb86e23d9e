import Foundation

extension Segment {
    /// Reads the segments of a file with changes.
    ///
    /// - Throws: ``FormatError``, or a syntax error of JSON.
    package static func read(_ bytes: ArraySlice<UInt8>) throws -> [Segment] {
        var lines = Lines(bytes, limit: Limits.entry)
        var segments: [Segment] = []
        while let line = try lines.next() {
            let fields = try LineFields(line)
            let header = try SegmentHeader(fields)
            let count = try fields.needed("entries", 0...Limits.entries)
            var entries: [SegmentEntry] = []
            entries.reserveCapacity(min(count, 1 << 16))
            for _ in 0..<count {
                guard let line = try lines.next() else {
                    throw FormatError("it ends before its last entry")
                }
                entries.append(try SegmentEntry(LineFields(line)))
            }
            segments.append(Segment(header: header, entries: entries))
        }
        return segments
    }
}

extension SegmentHeader {
    init(_ fields: LineFields) throws {
        let format = try fields.needed("format", 1...Int(Int32.max))
        guard format == Format.version else {
            throw FormatError("it has format \(format)", isNewer: true)
        }
        self.init(
            device: try LineFields.device(fields.needed("device")),
            number: try fields.needed("seq", Limits.numbers),
            time: try fields.needed("at", Limits.times), seen: try fields.vector("seen") ?? .init())
        name = try fields.text("name")
        removedDevices = try (fields.list("removes", limit: Limits.devices) ?? [])
            .map { try LineFields.device(LineFields.text($0, "removes")) }
        request = try fields.request
        guard seen[device] < number else { throw LineFields.invalid("seen") }
        seen[device] = number - 1
    }
}

extension LineFields {
    fileprivate var request: Request? {
        get throws {
            guard let segments = try vector("waits") else { return nil }
            guard segments.numbers.count <= Limits.requested else { throw Self.invalid("waits") }
            let files = try list("wrong", limit: Limits.requested) ?? []
            return Request(
                segments: segments, files: Set(try files.map { try Self.hash($0, "wrong") }))
        }
    }

    /// The request that a state repeats.
    var asked: AskedRequest? {
        get throws {
            guard let parts = try list("asked"), let request = try request else { return nil }
            guard parts.count == 2 else { throw Self.invalid("asked") }
            return AskedRequest(
                request: request, number: try Self.number(parts[0], "asked", Limits.numbers),
                time: try Self.number(parts[1], "asked", Limits.times))
        }
    }
}

extension SegmentEntry {
    init(_ fields: LineFields) throws {
        self.init(try ItemReference(fields))
        if let value = fields.value("of") { container = .some(try Self.container(value, kind)) }
        position = try fields.value("at").map(LineFields.position)
        set = try fields.object("set")
        try set.map(LineFields.checkMembers)
        unset = try (fields.list("unset") ?? []).map { try LineFields.text($0, "unset") }
        file = try fields.value("file").map(LineFields.file)
        removed = try fields.removal("gone")
        seen = try fields.vector("seen")
    }

    /// The container in `value`, which only items of the root lack.
    static func container(_ value: ArraySlice<UInt8>, _ kind: String) throws -> ItemKey? {
        let isRoot = Kind.parent(of: kind) == nil
        guard value.elementsEqual("null".utf8) else {
            if isRoot { throw LineFields.invalid("of") }
            return ItemKey(text: try LineFields.text(value, "of"))
        }
        guard isRoot else { throw LineFields.invalid("of") }
        return nil
    }
}

extension ItemReference {
    init(_ fields: LineFields) throws {
        self.init(try Self.kind(fields), try Self.key(fields))
    }

    static func kind(_ fields: LineFields) throws -> String {
        let kind = try fields.needed("in", limit: 1024)
        let parts = kind.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 32, parts.allSatisfy({ !$0.isEmpty }) else {
            throw LineFields.invalid("in")
        }
        return kind
    }

    static func key(_ fields: LineFields) throws -> ItemKey {
        let key = try fields.needed("id")
        if key.isEmpty { throw LineFields.invalid("id") }
        return ItemKey(text: key)
    }
}

/// The lines of a file, each without the newline at its end.
struct Lines {
    private var rest: ArraySlice<UInt8>
    private let limit: Int

    /// The lines of `bytes`, which may have up to `limit` bytes each.
    init(_ bytes: ArraySlice<UInt8>, limit: Int = .max) { (rest, self.limit) = (bytes, limit) }

    /// The next line; nil at the end.
    ///
    /// - Throws: ``FormatError`` if a line is too long or has no end.
    mutating func next() throws -> ArraySlice<UInt8>? {
        if rest.isEmpty { return nil }
        let end = rest.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress, let end = memchr(start, 0x0A, bytes.count) else {
                return nil
            }
            return UnsafeRawPointer(end) - start
        }
        guard let end else { throw FormatError("its last line has no end") }
        guard end <= limit else { throw FormatError("a line is too long") }
        let line = rest[rest.startIndex..<rest.startIndex + end]
        rest = rest[(rest.startIndex + end + 1)...]
        return line
    }
}
