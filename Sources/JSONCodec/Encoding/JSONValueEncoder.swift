/// The encoder that types see: one value and its text so far.
///
/// It writes the text of Foundation's `JSONEncoder` with default strategies, with three differences:
/// members are in the order in which they are encoded, but see ``Unordered``; slashes are not escaped; and dates can
/// be text.
final class JSONValueEncoder: Encoder {
    enum Kind {
        case nothing, primitive, object, array
    }

    let userInfo: [CodingUserInfoKey: Any]
    let dates: DateFormat
    /// The encoder of the container that holds the value; nil at the top level.
    private var parent: JSONValueEncoder?
    /// The key of the value in that container.
    private var key: (any CodingKey)?
    /// The number of nested containers up to this value, which counts too.
    private var depth = 1
    /// At the top level, the error if the whole value cannot be encoded.
    private var failure: EncodingError?

    private(set) var kind = Kind.nothing
    /// The number of elements of an array.
    private(set) var count = 0
    /// A primitive, or the members or elements of a container, each after a comma.
    let output = ByteBuffer()
    /// The keys of an object, with the positions of their members in the output.
    let keys = KeyTable()
    /// The members or elements that have encoders of their own.
    private var openValues: [OpenValue] = []
    /// The indexes of the open members of each key in `openValues`.
    private var openMembers: [String: [Int]] = [:]
    #if DEBUG
        /// How many open values were looked at, for tests.
        private(set) var steps = 0
        /// How many bytes were moved to put parts in order, for tests.
        var movedBytes = 0
    #endif
    /// An encoder to reuse for the next nested value.
    private var spare: JSONValueEncoder?

    /// A nested value that the type can continue to encode after it has begun other ones.
    private struct OpenValue {
        /// The position of the value in the output.
        var offset: Int
        var encoder: JSONValueEncoder
    }

    init(_ dates: DateFormat, _ userInfo: [CodingUserInfoKey: Any] = [:]) {
        (self.dates, self.userInfo) = (dates, userInfo)
    }

    var codingPath: [any CodingKey] {
        (parent?.codingPath ?? []) + (key.map { [$0] } ?? [])
    }

    /// Empties this encoder and those of its open values, which refer back to it.
    private func reset() {
        if parent != nil { (parent, key) = (nil, nil) }
        if failure != nil { failure = nil }
        (kind, depth, count) = (.nothing, 1, 0)
        output.removeAll()
        keys.removeAll()
        if openMembers.isEmpty && openValues.isEmpty { return }
        for value in openValues { value.encoder.reset() }
        (openValues, openMembers) = ([], [:])
    }
}

extension JSONValueEncoder {
    /// Appends the JSON of `value` to `buffer`, in one line.
    func encode(_ value: some Encodable, to buffer: ByteBuffer) throws {
        defer { reset() }
        try encode(value)
        if let failure { throw failure }
        guard kind != .nothing else {
            throw invalid(value, "Top-level \(type(of: value)) did not encode any values.")
        }
        write(to: buffer)
    }

    private func write(to buffer: ByteBuffer) {
        switch kind {
        case .nothing: buffer.append(ascii: "{}")
        case .primitive: buffer.append(output.elements)
        case .array, .object:
            if kind == .object { removeReplacedMembers() }
            buffer.append(UInt8(ascii: kind == .object ? "{" : "["))
            var offset = min(1, output.count)
            for value in openValues {
                buffer.append(output.elements[offset..<value.offset])
                value.encoder.write(to: buffer)
                offset = value.offset
            }
            buffer.append(output.elements[offset...])
            buffer.append(UInt8(ascii: kind == .object ? "}" : "]"))
        }
    }

    /// Keeps only the last member of each key.
    private func removeReplacedMembers() {
        // The keys of a longer text cannot be compared; the text is refused later.
        guard output.count <= JSONInput.maximumLength, keys.hasDuplicate(in: output.base) else {
            return
        }
        let starts = keys.entries.map { Int($0.value) } + [output.count]
        var last: [String: Int] = [:]
        for index in keys.entries.indices { last[keys.key(at: index, in: output.base)] = index }
        let kept = ByteBuffer()
        var keptValues: [OpenValue] = []
        var rest = openValues[...]
        for index in last.values.sorted() {
            let member = starts[index]..<starts[index + 1]
            rest = rest.drop { $0.offset <= member.lowerBound }
            while var value = rest.first, member.contains(value.offset - 1) {
                value.offset += kept.count - member.lowerBound
                keptValues.append(value)
                rest.removeFirst()
            }
            kept.append(output.elements[member])
        }
        output.removeAll()
        output.append(kept.elements)
        openValues = keptValues
    }
}

extension JSONValueEncoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        setKind(.object)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        setKind(.array)
        return JSONUnkeyedEncodingContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Sets the kind of the value, which cannot change later.
    ///
    /// A type asks for containers without `try`. So if the value has another kind already, or too many
    /// levels, `encode(_:to:)` fails later.
    private func setKind(_ kind: Kind) {
        if self.kind == .nothing {
            self.kind = kind
            if kind != .primitive && isTooDeep { fail(tooDeep(kind)) }
        } else if self.kind != kind || kind == .primitive {
            fail(invalid(kind, "Another value was encoded at this path before."))
        }
    }

    /// Whether this must not be a container: one level is left for the array that holds the lines.
    private var isTooDeep: Bool { depth >= JSONScanner.maximumDepth }

    private func tooDeep(_ value: Any) -> EncodingError {
        let description = "It has more than \(JSONScanner.maximumDepth - 1) levels."
        return .invalidValue(value, .init(codingPath: [], debugDescription: description))
    }

    private func fail(_ error: EncodingError) {
        if let parent { parent.fail(error) } else { failure = failure ?? error }
    }

    func invalid(_ value: Any, _ description: String, under key: (any CodingKey)? = nil)
        -> EncodingError
    {
        let path = codingPath + (key.map { [$0] } ?? [])
        return .invalidValue(value, .init(codingPath: path, debugDescription: description))
    }
}

extension JSONValueEncoder {
    /// Writes the only token of a primitive.
    @inline(__always)
    func writePrimitive(_ write: (ByteBuffer) -> Void) {
        setKind(.primitive)
        write(output)
    }

    /// Writes the name of the next member and then its value.
    @inline(__always)
    func writeMember(_ key: some CodingKey, _ write: (ByteBuffer) -> Void) {
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
    func writeElement(_ write: (ByteBuffer) -> Void) {
        output.append(UInt8(ascii: ","))
        count += 1
        write(output)
    }

    /// Encodes `value`, and then calls `writeHere` with a function that writes its JSON.
    ///
    /// Because nothing is written before the value is encoded, a value that cannot be encoded leaves nothing
    /// in the output.
    func encodeNested(
        _ value: some Encodable, under key: some CodingKey,
        _ writeHere: ((ByteBuffer) -> Void) -> Void
    ) throws {
        var inner = nestedEncoder(under: key, reusing: &spare)
        defer {
            inner.reset()
            if isKnownUniquelyReferenced(&inner) { spare = inner }
        }
        if isTooDeep { throw tooDeep(value) }
        try inner.encodeInOrder(value)
        writeHere { inner.write(to: $0) }
    }

    /// The encoder of a member that stays open while other members are written.
    func openMember(_ key: some CodingKey, as kind: Kind?) -> JSONValueEncoder {
        let name = key.stringValue
        if let kind, let open = openMembers[name]?.last(where: { isOpen($0, as: kind) }) {
            return openValues[open].encoder
        }
        writeMember(key) { _ in }
        if !isTooDeep { openMembers[name, default: []].append(openValues.count) }
        return openValue(under: key, kind)
    }

    private func isOpen(_ index: Int, as kind: Kind) -> Bool {
        #if DEBUG
            steps += 1
        #endif
        return openValues[index].encoder.kind == kind
    }

    /// The encoder of an element that stays open while other elements are written.
    func openElement(as kind: Kind?) -> JSONValueEncoder {
        writeElement { _ in }
        return openValue(under: ImplicitKey.index(count - 1), kind)
    }

    private func openValue(under key: some CodingKey, _ kind: Kind?) -> JSONValueEncoder {
        // The encoding has failed. The new encoder is in no list: an endless chain of encoders could
        // not be released.
        if isTooDeep { return JSONValueEncoder(dates, userInfo) }
        var noSpare: JSONValueEncoder?
        let encoder = nestedEncoder(under: key, reusing: &noSpare)
        if let kind { encoder.setKind(kind) }
        openValues.append(OpenValue(offset: output.count, encoder: encoder))
        return encoder
    }

    private func nestedEncoder(under key: some CodingKey, reusing spare: inout JSONValueEncoder?)
        -> JSONValueEncoder
    {
        let inner = spare ?? JSONValueEncoder(dates, userInfo)
        spare = nil
        inner.parent = self
        inner.key = key
        inner.depth = depth + 1
        return inner
    }
}
