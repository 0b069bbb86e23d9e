/// The encoder that types see: the text of one value, as far as it is encoded.
///
/// It writes what Foundation's `JSONEncoder` writes with default strategies, but the members of
/// an object in the order in which they are encoded, and slashes without a backslash.
final class JSONValueEncoder: Encoder {
    enum Kind {
        case nothing, token, object, array
    }

    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// The encoder of the container that the value stands in, nil at the top.
    private var owner: JSONValueEncoder?
    /// The key of the value in that container.
    private var key: (any CodingKey)?
    /// The number of containers in one another, with this one.
    private var depth = 1
    /// Why the whole value cannot be encoded, at the top.
    private var failure: EncodingError?

    private var kind = Kind.nothing
    /// The number of elements of an array.
    private(set) var count = 0
    /// A token, or the members or elements of a container, each after a comma.
    private let output = JSONText()
    /// The keys of an object, with the places where their members begin.
    private let keys = KeyTable()
    /// Values that are encoded apart, and the places in the output where they belong.
    private var inserts: [Insert] = []
    /// An encoder for the next inner value.
    private var spare: JSONValueEncoder?

    private struct Insert {
        var offset: Int
        var key: String?
        var value: JSONValueEncoder
    }

    init() {}

    var codingPath: [any CodingKey] {
        (owner?.codingPath ?? []) + (key.map { [$0] } ?? [])
    }

    /// Forgets what was encoded, and with it all who are encoded apart, which point back here.
    private func reset() {
        if owner != nil { (owner, key) = (nil, nil) }
        if failure != nil { failure = nil }
        (kind, depth, count) = (.nothing, 1, 0)
        output.removeAll()
        keys.removeAll()
        if !inserts.isEmpty { inserts = [] }
    }
}

extension JSONValueEncoder {
    /// Appends the JSON of `value` to `buffer`, in one line.
    func encode(_ value: some Encodable, to buffer: JSONText) throws {
        defer { reset() }
        try encode(value)
        if let failure { throw failure }
        guard kind != .nothing else {
            throw invalid(value, "Top-level \(type(of: value)) did not encode any values.")
        }
        write(to: buffer)
    }

    private func write(to buffer: JSONText) {
        switch kind {
        case .nothing: buffer.append(ascii: "{}")
        case .token: buffer.append(output.elements)
        case .array, .object:
            if kind == .object { removeReplacedMembers() }
            buffer.append(UInt8(ascii: kind == .object ? "{" : "["))
            var offset = min(1, output.count)
            for insert in inserts {
                buffer.append(output.elements[offset..<insert.offset])
                insert.value.write(to: buffer)
                offset = insert.offset
            }
            buffer.append(output.elements[offset...])
            buffer.append(UInt8(ascii: kind == .object ? "}" : "]"))
        }
    }

    /// Keeps the last member of each key, as a dictionary would.
    private func removeReplacedMembers() {
        guard keys.hasDuplicate(in: output.base) else { return }
        let starts = keys.entries.map { Int($0.value) } + [output.count]
        var last: [String: Int] = [:]
        for index in keys.entries.indices { last[keys.key(at: index, in: output.base)] = index }
        let kept = JSONText()
        var keptInserts: [Insert] = []
        for index in last.values.sorted() {
            let member = starts[index]..<starts[index + 1]
            for insert in inserts where member.contains(insert.offset - 1) {
                var moved = insert
                moved.offset += kept.count - member.lowerBound
                keptInserts.append(moved)
            }
            kept.append(output.elements[member])
        }
        output.removeAll()
        output.append(kept.elements)
        inserts = keptInserts
    }
}

extension JSONValueEncoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        become(.object)
        return KeyedEncodingContainer(KeyedWriter(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        become(.array)
        return UnkeyedWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Makes the value a container or a token, which it stays.
    ///
    /// Where it was something else before, or is nested too deep, the whole value fails in the
    /// end, because containers are asked for without a `try`.
    private func become(_ kind: Kind) {
        if self.kind == .nothing {
            self.kind = kind
            // One level is left for the array of the index.
            if kind != .token && depth >= JSONScanner.maximumDepth {
                fail(.invalidValue(kind, .init(codingPath: [], debugDescription: "Too deep.")))
            }
        } else if self.kind != kind || kind == .token {
            fail(invalid(kind, "Another value was encoded at this path before."))
        }
    }

    private func fail(_ error: EncodingError) {
        if let owner { owner.fail(error) } else { failure = failure ?? error }
    }

    func invalid(_ value: Any, _ description: String, under key: (any CodingKey)? = nil)
        -> EncodingError
    {
        let path = codingPath + (key.map { [$0] } ?? [])
        return .invalidValue(value, .init(codingPath: path, debugDescription: description))
    }
}

extension JSONValueEncoder {
    /// Writes a token, of which a value has one.
    @inline(__always)
    func token(_ write: (JSONText) -> Void) {
        become(.token)
        write(output)
    }

    /// Writes the name of the next member and then its value.
    @inline(__always)
    func member(_ key: some CodingKey, _ write: (JSONText) -> Void) {
        let start = output.count
        let name = key.stringValue
        output.append(UInt8(ascii: ","))
        if output.append(quoted: name) {
            output.reserve(8)
            keys.append(start + 2..<output.count - 1, value: start, in: output.base)
        } else {
            keys.append(name, value: start)
        }
        output.append(UInt8(ascii: ":"))
        write(output)
    }

    /// Writes the next element.
    @inline(__always)
    func element(_ write: (JSONText) -> Void) {
        output.append(UInt8(ascii: ","))
        count += 1
        write(output)
    }

    /// Encodes `value`, and hands what was encoded to `place`, unless it threw an error.
    func inner(
        _ value: some Encodable, under key: some CodingKey,
        _ place: ((JSONText) -> Void) -> Void
    ) throws {
        var inner = apart(under: key, reusing: &spare)
        defer {
            inner.reset()
            if isKnownUniquelyReferenced(&inner) { spare = inner }
        }
        guard depth <= JSONScanner.maximumDepth else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "It is nested too deep."))
        }
        try value.encode(to: inner)
        place { inner.write(to: $0) }
    }

    /// The encoder of a container that stays open while others are written, as a member.
    func member(apart key: some CodingKey, as kind: Kind?) -> JSONValueEncoder {
        let name = key.stringValue
        if let kind, let open = inserts.last(where: { $0.key == name && $0.value.kind == kind }) {
            return open.value
        }
        member(key) { _ in }
        return insert(under: key, name, kind)
    }

    /// The encoder of a container that stays open while others are written, as an element.
    func element(apart kind: Kind?) -> JSONValueEncoder {
        element { _ in }
        return insert(under: ContainerKey.index(count - 1), nil, kind)
    }

    private func insert(under key: some CodingKey, _ name: String?, _ kind: Kind?)
        -> JSONValueEncoder
    {
        var none: JSONValueEncoder?
        let value = apart(under: key, reusing: &none)
        if let kind { value.become(kind) }
        inserts.append(Insert(offset: output.count, key: name, value: value))
        return value
    }

    private func apart(under key: some CodingKey, reusing spare: inout JSONValueEncoder?)
        -> JSONValueEncoder
    {
        let inner = spare ?? JSONValueEncoder()
        spare = nil
        inner.owner = self
        inner.key = key
        inner.depth = depth + 1
        return inner
    }
}
