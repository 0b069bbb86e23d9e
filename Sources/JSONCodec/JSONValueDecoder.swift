/// The decoder that types see: a place in the text of one value.
///
/// It gives the values and the errors of Foundation's `JSONDecoder` with default strategies; the
/// tests name the few cases in which it is stricter.
final class JSONValueDecoder: Decoder {
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let text: JSONText
    /// Whether another decoder has the same text.
    private(set) var isShared: Bool
    /// Where the value begins that is being decoded.
    private(set) var position: Int
    /// The container that the value stands in, nil at the top.
    private var parent: JSONFrame?
    /// The key of the value in that container.
    private var key: (any CodingKey)?

    /// The innermost object that is being decoded; at first one that stands for none.
    private var object: ObjectFrame

    init(_ text: JSONText = JSONText()) {
        self.text = text
        object = ObjectFrame(text: text)
        isShared = false
        position = 0
    }

    /// Creates a decoder of the value at `position` in the text of `other`.
    init(
        sharing other: JSONValueDecoder, at position: Int, in parent: JSONFrame, key: any CodingKey
    ) {
        other.isShared = true
        text = other.text
        object = ObjectFrame(text: text)
        isShared = true
        self.position = position
        self.parent = parent
        self.key = key
    }

    var codingPath: [any CodingKey] {
        JSONFrame.path(of: key, in: parent)
    }

    /// Decodes the one value that `json` holds.
    ///
    /// - Throws: A syntax error if `json` is not valid JSON of at most 511 levels, before anything
    ///   is decoded; a `DecodingError`, or what `Value` throws.
    func decode<Value: Decodable>(_ type: Value.Type, from json: UnsafeBufferPointer<UInt8>)
        throws -> Value
    {
        guard json.count < UInt32.max - 16 else {
            throw JSONScanner.SyntaxError(offset: 0, reason: "it is too long")
        }
        text.replace(with: json)
        object.inner?.close()
        var scanner = JSONScanner(text.json)
        scanner.skipSpace()
        position = scanner.position
        // The members that the check finds are there when the type asks for them.
        if scanner.peek == UInt8(ascii: "{") {
            try spare().scan(&scanner, depth: 1)
        } else {
            try scanner.value(depth: 1)
        }
        try scanner.finish("the value")
        return try value(type)
    }
}

extension JSONValueDecoder {
    /// Decodes the value at `position`, which `parent` holds under `key`.
    func value<Value: Decodable>(
        _ type: Value.Type, at position: Int, in parent: JSONFrame, key: some CodingKey
    ) throws -> Value {
        if let leaf = JSONLeafType(type) {
            return try text.value(leaf, at: position, path: parent.path + [key])
        }
        let outer = (self.position, self.parent, self.key)
        (self.position, self.parent, self.key) = (position, parent, key)
        defer { (self.position, self.parent, self.key) = outer }
        return try nested(type)
    }

    /// Decodes the value that this decoder is at.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let leaf = JSONLeafType(type) {
            return try text.value(leaf, at: position, path: codingPath)
        }
        return try nested(type)
    }

    private func nested<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let outer = object
        defer { close(downTo: outer) }
        return try Value(from: self)
    }

    /// Makes the frames of inner objects free for their next use.
    private func close(downTo outer: ObjectFrame) {
        guard object !== outer else { return }
        object = outer
        guard var inner = outer.inner else { return }
        outer.inner = nil
        if isKnownUniquelyReferenced(&inner) {
            inner.close()
            outer.inner = inner
        }
    }
}

extension JSONValueDecoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            KeyedReader<Key>(object: try object(at: position, parent, key)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedReader(decoder: self, at: position, in: parent, key: key)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The members of the object at `position`, which `parent` holds under `key`.
    func object(at position: Int, _ parent: JSONFrame?, _ key: (any CodingKey)?) throws
        -> ObjectFrame
    {
        guard text.elements[position] == UInt8(ascii: "{") else {
            throw text.wrongContainer(
                [String: Any].self, "keyed", at: position, path: JSONFrame.path(of: key, in: parent)
            )
        }
        if object.start == position { return object }
        let inner = spare()
        if inner.start != position {
            var scanner = JSONScanner(text.json, at: position)
            try inner.scan(&scanner, depth: 0)
        }
        if inner.isBroken { throw DecodingError.loneSurrogate }
        inner.open(by: self, in: parent, key)
        object = inner
        if inner.keys.hasDuplicate(in: text.base) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: inner.path, debugDescription: "A key stands twice."))
        }
        return inner
    }

    /// The frame for the next object inside the innermost one.
    private func spare() -> ObjectFrame {
        if let inner = object.inner { return inner }
        let inner = ObjectFrame(text: text)
        object.inner = inner
        return inner
    }
}
