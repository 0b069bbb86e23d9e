import JSONCodec

/// A state, and the device that wrote it.
package struct StateFile: Sendable {
    package var device: DeviceID
    package var number: Int
    package var state: MergeState
    /// The segments whose requests it answers.
    package var answers: VersionVector
    /// What its device still needs.
    package var asked: AskedRequest?

    /// Reads a file with a state.
    ///
    /// - Throws: ``FormatError``, or a syntax error of JSON.
    package init(_ bytes: ArraySlice<UInt8>, _ rules: MergeRules = .init()) throws {
        var lines = Lines(bytes)
        guard let first = try lines.next() else { throw FormatError("it is empty") }
        let fields = try LineFields(first)
        let header = try SegmentHeader(stateFields: fields)
        (device, number) = (header.device, header.number)
        answers = try fields.vector("answers") ?? .init()
        asked = try fields.asked
        state = MergeState(rules)
        var reader = try StateReader(fields)
        // A state has the items of many segments, so it can have more of them than one segment.
        let count = try fields.needed("items", 0...Int(Int32.max))
        var written: [String: WrittenItems] = [:]
        var others: [(item: ItemReference, state: ItemState)] = []
        for _ in 0..<count {
            guard let line = try lines.next() else {
                throw FormatError("it ends before its last item")
            }
            let (item, known) = try reader.item(LineFields(line))
            let isAdded = written[item.kind, default: .init(item.kind)].add(
                item.key, known, at: line.startIndex - bytes.startIndex)
            if !isAdded {
                others.append((item, known))
            } else if let container = known.living?.container,
                let kind = Kind.parent(of: item.kind)
            {
                state.note(item, in: ItemReference(kind, container))
            }
        }
        for var written in written.values {
            written.finish(in: bytes)
            if written.hasItemTwice { throw FormatError("an item is in it twice") }
            state.add(written)
        }
        for other in others {
            guard state[other.item] == nil else { throw FormatError("an item is in it twice") }
            state.set(other.item, other.state)
        }
        state.seen = header.seen
        for (device, note, vector) in reader.known {
            state.devices[device] = note
            state.acknowledged[device] = vector
        }
        state.removedDevices = Set(header.removedDevices)
        guard try lines.next() == nil else { throw FormatError("something follows its last item") }
    }
}

extension StateFile {
    /// The segments that a file with a state consists of, by its header.
    static func seen(_ bytes: ArraySlice<UInt8>) throws -> VersionVector? {
        var lines = Lines(bytes)
        return try lines.next().map { try SegmentHeader(stateFields: LineFields($0)).seen }
    }
}

extension SegmentHeader {
    fileprivate init(stateFields fields: LineFields) throws {
        let format = try fields.needed("format", 1...Int(Int32.max))
        guard format == Format.version else {
            throw FormatError("it has format \(format)", isNewer: true)
        }
        self.init(
            device: try LineFields.device(fields.needed("device")),
            number: try fields.needed("seq", 0...Limits.numbers.upperBound),
            time: try fields.needed("at", Limits.times), seen: try fields.vector("seen") ?? .init())
        removedDevices = try (fields.list("removes", limit: Limits.devices) ?? [])
            .map { try LineFields.device(LineFields.text($0, "removes")) }
    }
}

extension ItemState.Plain {
    /// Reads the line of an item in `container` that one segment, with this stamp, wrote.
    static func read(_ fields: LineFields, _ stamp: Stamp, in container: ItemKey?) throws
        -> (key: ItemKey, plain: ItemState.Plain)
    {
        guard let line = try fields.object("set") else { throw LineFields.missing("set") }
        guard let position = try fields.value("at").map(LineFields.position) else {
            throw LineFields.missing("at")
        }
        let plain = ItemState.Plain(
            stamp: stamp, removed: try fields.removal("dead"), container: container,
            position: position,
            file: try fields.value("file").map(LineFields.file), line: line)
        let key = try fields.value("id") == nil ? plain.keyInLine : ItemReference.key(fields)
        guard let key, key.text.utf8.count <= Limits.key else { throw LineFields.invalid("id") }
        return (key, plain)
    }
}

/// Reads the lines of a state, whose devices are numbers in a table.
private struct StateReader {
    private let devices: [DeviceID]
    private(set) var known: [(DeviceID, MergeState.DeviceNote, VersionVector)] = []
    private let seen: VersionVector
    /// The kind of the line before.
    private var kind: String?
    /// The dot of the last item that one segment wrote, and the container of the last one of the kind.
    private var stamp: Stamp?
    private var container: ItemKey?

    init(_ fields: LineFields) throws {
        devices = try (fields.list("devices") ?? []).map {
            try LineFields.device(LineFields.text($0, "devices"))
        }
        seen = try fields.vector("seen") ?? .init()
        for value in try fields.list("known") ?? [] {
            let parts = try LineFields.list(value, "known")
            guard parts.count == 5 else { throw LineFields.invalid("known") }
            var note = MergeState.DeviceNote(
                number: try LineFields.number(parts[1], "known", Limits.numbers),
                time: try LineFields.number(parts[2], "known", Limits.times))
            if !parts[3].elementsEqual("null".utf8) {
                note.name = try LineFields.text(parts[3], "known")
            }
            known.append((try device(parts[0]), note, try vector(parts[4])))
        }
    }

    private func device(_ value: ArraySlice<UInt8>) throws -> DeviceID {
        let number = try LineFields.number(value, "a device", 0...Limits.elements)
        guard devices.indices.contains(number) else { throw LineFields.invalid("a device") }
        return devices[number]
    }

    private func vector(_ value: ArraySlice<UInt8>) throws -> VersionVector {
        let parts = try LineFields.list(value, "known")
        var vector = VersionVector()
        guard parts.count.isMultiple(of: 2) else { throw LineFields.invalid("known") }
        for index in stride(from: 0, to: parts.count, by: 2) {
            vector[try device(parts[index])] = try LineFields.number(
                parts[index + 1], "known", Limits.numbers)
        }
        return vector
    }

    private func stamp(_ parts: ArraySlice<ArraySlice<UInt8>>) throws -> Stamp {
        guard parts.count == 3 else { throw LineFields.invalid("a dot") }
        let start = parts.startIndex
        let dot = Dot(
            try device(parts[start]),
            try LineFields.number(parts[start + 1], "a dot", Limits.numbers))
        // A state has seen each segment of which it has a value.
        guard seen.covers(dot) else { throw LineFields.invalid("a dot") }
        return Stamp(dot, time: try LineFields.number(parts[start + 2], "a dot", Limits.times))
    }

    /// Reads a line; members that it lacks are as in the line before, or follow from the item.
    mutating func item(_ fields: LineFields) throws -> (ItemReference, ItemState) {
        if fields.value("in") != nil { (kind, container) = (try ItemReference.kind(fields), nil) }
        guard let kind else { throw LineFields.missing("in") }
        let removals = try (fields.list("gone", limit: .max) ?? []).map {
            try stamp(LineFields.list($0, "gone")[...])
        }
        guard let line = try fields.object("set") else {
            return (
                ItemReference(kind, try ItemReference.key(fields)),
                ItemState(.registers(try registers(fields, kind)), removals: removals)
            )
        }
        stamp = try fields.list("dot").map { try stamp($0[...]) } ?? stamp
        guard let stamp else { throw LineFields.missing("dot") }
        try LineFields.checkMembers(of: line)
        if fields.value("of") != nil || container == nil {
            let of = fields.value("of") ?? Array("null".utf8)[...]
            container = try SegmentEntry.container(of, kind)
        }
        let (key, plain) = try ItemState.Plain.read(fields, stamp, in: container)
        return (ItemReference(kind, key), ItemState(.plain(plain), removals: removals))
    }

    private func registers(_ fields: LineFields, _ kind: String) throws -> ItemState.Registers {
        var registers = ItemState.Registers()
        registers.container = try register(fields.value("of")) {
            try SegmentEntry.container(Self.one($0), kind)
        }
        registers.position = try register(fields.value("at")) {
            try LineFields.position(Self.one($0))
        }
        registers.file = try register(fields.value("file")) { try LineFields.file(Self.one($0)) }
        if let members = try fields.object("members") {
            for member in try JSONMembers.all(of: members) ?? [] {
                registers.members[member.name] = try register(member.value) {
                    guard $0.count < 2 else { throw LineFields.invalid("members") }
                    try $0.first.map { value in
                        try LineFields.checkDepth(of: value, "members")
                        try LineFields.check(member.name, value)
                    }
                    return $0.first
                }
            }
        }
        return registers
    }

    private static func one(_ parts: ArraySlice<ArraySlice<UInt8>>) throws -> ArraySlice<UInt8> {
        guard parts.count == 1, let one = parts.first else { throw LineFields.invalid("a value") }
        return one
    }

    private func register<Value>(
        _ list: ArraySlice<UInt8>?,
        _ value: (ArraySlice<ArraySlice<UInt8>>) throws -> Value
    ) throws -> Register<Value> {
        guard let list else { return .init() }
        var dots: Set<Dot> = []
        let entries = try LineFields.list(list, "a register", limit: .max).map { entry in
            let parts = try LineFields.list(entry, "a register")
            guard parts.count >= 4 else { throw LineFields.invalid("a register") }
            let stamp = try stamp(parts[..<3])
            guard dots.insert(stamp.dot).inserted else { throw LineFields.invalid("a register") }
            let removed = Removal(
                rawValue: try LineFields.number(parts[3], "a register", 0...2))
            return Register<Value>.Entry(
                try value(parts[4...]), stamp, removed: removed ?? .item)
        }
        return Register(entries)
    }
}
