/// The decoder that types see: a position in the text of one value.
///
/// It gives the values and the errors of Foundation's `JSONDecoder` with default strategies. There
/// is a test for each of the few cases in which it is stricter. A date can also be text.
final class JSONValueDecoder: Decoder {
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let input: JSONInput
    /// Whether another decoder uses the same input.
    private(set) var isShared: Bool
    /// Where the value that is being decoded begins.
    private(set) var position: Int
    /// The container that holds the value; nil at the top level.
    private var parent: CodingPathNode?
    /// The key of the value in that container.
    private var key: (any CodingKey)?

    /// The innermost object that is being decoded; at the top level ``top``.
    private var object: JSONObject
    /// A placeholder, which holds the objects at the top level.
    private let top: JSONObject
    /// Whether `decode(_:from:)` runs; it closes at its end the objects that are opened meanwhile.
    private var isDecoding = false
    /// The array whose elements were counted last, and how many it has: a type can open it again.
    var countedArray: (start: UInt32, count: Int)?

    init(_ input: JSONInput = JSONInput()) {
        self.input = input
        top = JSONObject(input: input)
        object = top
        isShared = false
        position = 0
    }

    /// Creates a decoder of the value at `position` in the input of `other`.
    init(
        sharing other: JSONValueDecoder, at position: Int, in parent: CodingPathNode,
        key: any CodingKey
    ) {
        other.isShared = true
        input = other.input
        top = JSONObject(input: input)
        object = top
        isShared = true
        self.position = position
        self.parent = parent
        self.key = key
    }

    var codingPath: [any CodingKey] {
        CodingPathNode.path(of: key, in: parent)
    }

    /// Decodes the one value that `json` holds.
    ///
    /// - Throws: A syntax error if `json` is not valid JSON of at most 63 levels, before anything
    ///   is decoded; a `DecodingError`; an error of `Value`.
    func decode<Value: Decodable>(_ type: Value.Type, from json: UnsafeBufferPointer<UInt8>)
        throws -> Value
    {
        guard json.count <= JSONInput.maximumLength else {
            throw JSONScanner.SyntaxError(offset: 0, reason: "it is longer than 4 GB")
        }
        input.replace(with: json)
        countedArray = nil
        object.closeInner()
        isDecoding = true
        defer { isDecoding = false }
        var scanner = JSONScanner(input.text)
        scanner.skipSpace()
        position = scanner.position
        // The check of an object also finds its members, which the type is likely to ask for next.
        if scanner.peek == UInt8(ascii: "{") {
            try reusableObject(in: nil).scan(&scanner, depth: 1)
        } else {
            try scanner.skipValue(depth: 1)
        }
        try scanner.expectEnd(after: "the value")
        return try value(type)
    }
}

extension JSONValueDecoder {
    /// Decodes the value at `position`, which `parent` holds under `key`.
    func value<Value: Decodable>(
        _ type: Value.Type, at position: Int, in parent: CodingPathNode, key: some CodingKey
    ) throws -> Value {
        if let primitive = PrimitiveType(type) {
            return try input.primitive(primitive, at: position, path: parent.path + [key])
        }
        let outer = (self.position, self.parent, self.key)
        (self.position, self.parent, self.key) = (position, parent, key)
        defer { (self.position, self.parent, self.key) = outer }
        return try initialize(type)
    }

    /// Decodes the value that this decoder is at.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let primitive = PrimitiveType(type) {
            return try input.primitive(primitive, at: position, path: codingPath)
        }
        return try initialize(type)
    }

    private func initialize<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let outer = object
        defer {
            if object !== outer {
                object = outer
                outer.closeInner()
            }
        }
        return try Value(from: self)
    }
}

extension JSONValueDecoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            JSONKeyedDecodingContainer<Key>(object: try openObject(at: position, parent, key)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecodingContainer(decoder: self, at: position, in: parent, key: key)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The members of the object at `position`, which `parent` holds under `key`.
    func openObject(at position: Int, _ parent: CodingPathNode?, _ key: (any CodingKey)?) throws
        -> JSONObject
    {
        guard input.bytes[position] == UInt8(ascii: "{") else {
            throw input.wrongContainer(
                [String: Any].self, "keyed", at: position,
                path: CodingPathNode.path(of: key, in: parent)
            )
        }
        let found = object.start == position ? object : reusableObject(in: parent)
        if found.start != position {
            var scanner = JSONScanner(input.text, at: position)
            try found.scan(&scanner, depth: 0)
        }
        found.open(by: self, in: parent, key)
        if isDecoding { object = found }
        if found.hasInvalidKey { throw DecodingError.loneSurrogate }
        if found.keys.hasDuplicate(in: input.base) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: found.path, debugDescription: "Two members have the same key."))
        }
        return found
    }

    /// The object to use for the next one inside of `parent`.
    ///
    /// An object refers to its decoder. A decoder that a type keeps, and the decoder of a superclass, must
    /// not refer to the objects that they open, so they get new ones.
    private func reusableObject(in parent: CodingPathNode?) -> JSONObject {
        guard isDecoding else { return JSONObject(input: input) }
        let enclosing = parent?.innermostObject ?? top
        if enclosing.isKept {
            let inner = JSONObject(input: input)
            inner.isKept = true
            return inner
        }
        if object !== enclosing {
            // A container that was opened in it before is used no more, or a type keeps it.
            object = enclosing
            enclosing.closeInner()
        }
        if let inner = enclosing.inner { return inner }
        let inner = JSONObject(input: input)
        enclosing.inner = inner
        return inner
    }
}
