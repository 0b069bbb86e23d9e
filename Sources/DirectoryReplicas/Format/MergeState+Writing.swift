/// Writes states: a header, then a line for each item.
///
/// A line lacks members that are as in the line before or follow from the item.
private struct StateWriter {
    /// The devices, in an order that does not depend on chance, and the place of each one.
    private let table: [DeviceID]
    private var devices: [DeviceID: Int] = [:]
    private let state: MergeState
    /// The kind of the line before.
    private var kind: String?
    /// The dot of the last item that one segment wrote, and the container of the last one of the kind.
    private var stamp: Stamp?
    private var container: ItemKey?

    init(_ state: MergeState) {
        self.state = state
        table = state.namedDevices.sorted()
        for device in table { devices[device] = devices.count }
    }

    /// The lines of the whole state, as `device` writes it after its segment `number`.
    mutating func bytes(
        of device: DeviceID, number: Int, time: Int, answering answers: VersionVector,
        asking asked: AskedRequest?
    ) -> [UInt8] {
        var writer = LineWriter()
        let items = state.items.mapValues(sorted).sorted { $0.key < $1.key }
        writer.line { line in
            line.member("format", Format.version)
            line.member("device", device.description)
            line.member("seq", number)
            line.member("at", time)
            line.member("seen", state.seen)
            if answers != .init() { line.member("answers", answers) }
            if let asked { line.write(asked) }
            line.name("devices")
            line.array { array in
                for device in table { array.element(device.description) }
            }
            line.name("known")
            line.array { array in
                for (device, note) in state.devices.sorted(by: { $0.key < $1.key }) {
                    array.element { write(device, note, to: &$0) }
                }
            }
            line.name("removes")
            line.array { array in
                for device in state.removedDevices.sorted() { array.element(device.description) }
            }
            line.member("items", items.reduce(0) { $0 + $1.value.count })
        }
        for (kind, items) in items {
            for item in items {
                writer.line { write(item.state, ItemReference(kind, item.key), to: &$0) }
            }
        }
        return writer.bytes
    }

    /// Items in the order of their containers, then as people see them, so that most lines need no dot and no container.
    private func sorted(_ items: ItemTable<ItemState>) -> [PlacedItem] {
        items.map { PlacedItem(key: $0.key, state: $0.value, state.rules) }.sorted(by: <)
    }

    private func write(
        _ device: DeviceID, _ note: MergeState.DeviceNote, to array: inout LineWriter
    ) {
        array.element(devices[device] ?? 0)
        array.element(note.number)
        array.element(note.time)
        array.element(json: note.name?.quotedAsJSON ?? Array("null".utf8))
        array.element(json: bytes(of: state.acknowledged[device] ?? .init()))
    }

    private func bytes(of vector: VersionVector) -> [UInt8] {
        var writer = LineWriter()
        writer.array { array in
            for (device, number) in vector.numbers.sorted(by: { $0.key < $1.key }) {
                array.element(devices[device] ?? 0)
                array.element(number)
            }
        }
        return writer.bytes
    }

    private mutating func write(
        _ item: ItemState, _ reference: ItemReference, to line: inout LineWriter
    ) {
        if reference.kind != kind {
            line.member("in", reference.kind)
            (kind, container) = (reference.kind, nil)
        }
        switch item.form {
        case .plain(let plain):
            if plain.keyInLine != reference.key { line.member("id", reference.key.text) }
            write(plain, to: &line)
        case .registers(let registers):
            line.member("id", reference.key.text)
            write(registers, to: &line)
        }
        guard !item.removals.isEmpty else { return }
        line.name("gone")
        line.array { array in
            for stamp in item.removals { array.element { write(stamp, to: &$0) } }
        }
    }

    private mutating func write(_ plain: ItemState.Plain, to line: inout LineWriter) {
        if plain.stamp != stamp {
            line.name("dot")
            line.array { write(plain.stamp, to: &$0) }
        }
        stamp = plain.stamp
        if plain.removed != .nothing { line.member("dead", plain.removed.text) }
        if plain.container != container {
            line.member("of", json: plain.container?.text.quotedAsJSON ?? Array("null".utf8))
        }
        container = plain.container
        line.member("at", plain.position.text)
        if let file = plain.file {
            line.name("file")
            line.array { file.write(to: &$0) }
        }
        line.member("set", json: plain.line)
    }

    private func write(_ registers: ItemState.Registers, to line: inout LineWriter) {
        write("of", registers.container, to: &line) { key, array in
            array.element(json: key?.text.quotedAsJSON ?? Array("null".utf8))
        }
        write("at", registers.position, to: &line) { $1.element($0.text) }
        write("file", registers.file, to: &line) { file, array in
            array.element { file.write(to: &$0) }
        }
        line.name("members")
        line.object { object in
            for (name, register) in registers.members.sorted(by: { $0.key < $1.key }) {
                write(name, register, to: &object) { value, array in
                    // No value: the member was removed.
                    if let value { array.element(json: value) }
                }
            }
        }
    }

    private func write<Value>(
        _ name: String, _ register: Register<Value>, to line: inout LineWriter,
        _ body: (Value, inout LineWriter) -> Void
    ) {
        if register.isEmpty { return }
        line.name(name)
        line.array { array in
            for entry in register.entries {
                array.element { part in
                    write(entry.stamp, to: &part)
                    part.element(entry.removed.rawValue)
                    body(entry.value, &part)
                }
            }
        }
    }

    private func write(_ stamp: Stamp, to array: inout LineWriter) {
        array.element(devices[stamp.dot.device] ?? 0)
        array.element(stamp.dot.number)
        array.element(stamp.time)
    }
}

/// An item, and its place in the collections.
private struct PlacedItem: Comparable {
    let key: ItemKey
    let state: ItemState
    private let container: ItemKey?
    private let position: Position?

    init(key: ItemKey, state: ItemState, _ rules: MergeRules) {
        (self.key, self.state) = (key, state)
        (container, position) = (state.container(rules)?.value, state.position(rules)?.value)
    }

    static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    static func < (left: Self, right: Self) -> Bool {
        if left.container != right.container {
            guard let one = left.container, let other = right.container else {
                return left.container == nil
            }
            return one < other
        }
        if left.position == right.position { return left.key < right.key }
        return (left.position?.text ?? "") < (right.position?.text ?? "")
    }
}

extension MergeState {
    /// The lines of the state, as `device` writes it after its segment `number`; `answers` are the segments whose requests
    /// it answers, and `asked` is what the device itself still needs.
    package func bytes(
        of device: DeviceID, number: Int, time: Int, answering answers: VersionVector = .init(),
        asking asked: AskedRequest? = nil
    ) -> [UInt8] {
        var writer = StateWriter(self)
        return writer.bytes(
            of: device, number: number, time: time, answering: answers, asking: asked)
    }

    /// All devices that the state names.
    var namedDevices: Set<DeviceID> {
        var all = Set(seen.numbers.keys).union(devices.keys).union(removedDevices)
        for vector in acknowledged.values { all.formUnion(vector.numbers.keys) }
        return all
    }
}
