/// An array that is being decoded.
final class ArrayNode: CodingPathNode {
    /// The position of the array.
    fileprivate let start: UInt32
    /// The number of elements, once a type has asked for it.
    fileprivate(set) var count: Int?
    #if DEBUG
        /// How many elements were counted, for tests.
        fileprivate(set) var steps = 0
    #endif

    init(at start: Int) { self.start = UInt32(start) }
}

/// An array that a type decodes element by element.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let decoder: JSONValueDecoder
    let node: ArrayNode
    /// The position of the next element, or of the closing bracket.
    private var position: UInt32
    private var index: UInt32 = 0

    /// Opens the array at `start`, which `parent` holds under `key`.
    init(
        decoder: JSONValueDecoder, at start: Int, in parent: CodingPathNode?, key: (any CodingKey)?
    ) throws {
        guard decoder.input.bytes[start] == UInt8(ascii: "[") else {
            throw decoder.input.wrongContainer(
                [Any].self, "unkeyed", at: start, path: CodingPathNode.path(of: key, in: parent))
        }
        self.decoder = decoder
        node = ArrayNode(at: start)
        node.parent = parent
        node.key = key
        var scanner = JSONScanner(decoder.input.bytes, at: start + 1)
        scanner.skipSpace()
        position = UInt32(scanner.position)
    }

    var codingPath: [any CodingKey] { node.path }
    var currentIndex: Int { Int(index) }
    var isAtEnd: Bool { decoder.input.bytes[Int(position)] == UInt8(ascii: "]") }

    var count: Int? {
        if let count = node.count { return count }
        if let counted = decoder.countedArray, counted.start == node.start {
            return counted.count
        }
        var rest = self
        while !rest.isAtEnd { rest.advance() }
        #if DEBUG
            node.steps += rest.currentIndex - currentIndex
        #endif
        node.count = rest.currentIndex
        decoder.countedArray = (node.start, rest.currentIndex)
        return rest.currentIndex
    }

    private mutating func advance() {
        var scanner = JSONScanner(decoder.input.bytes, at: Int(position))
        // The input is valid, so this does not throw.
        try? scanner.skipValue(depth: 0)
        scanner.skipSpace()
        if scanner.take(",") { scanner.skipSpace() }
        position = UInt32(scanner.position)
        index += 1
    }

    /// The key of the next element.
    private var key: ImplicitKey { .index(currentIndex) }
    private var path: [any CodingKey] { codingPath + [key] }

    /// Where the next element begins.
    @inline(__always)
    private func next(_ type: Any.Type) throws -> Int {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: path, debugDescription: "Unkeyed container is at end."))
        }
        return Int(position)
    }
}

extension JSONUnkeyedDecodingContainer {
    mutating func decodeNil() throws -> Bool {
        guard decoder.input.isNull(at: try next(Never.self)) else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let value = try decoder.input.bool(at: next(type), path: path)
        advance()
        return value
    }

    mutating func decode(_ type: String.Type) throws -> String {
        let value = try decoder.input.string(at: next(type), path: path)
        advance()
        return value
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        let value = try decoder.input.double(at: next(type), path: path)
        advance()
        return value
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        let value = try decoder.input.float(at: next(type), path: path)
        advance()
        return value
    }

    mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

    private mutating func integer<Value: FixedWidthInteger>() throws -> Value {
        let value = try decoder.input.integer(Value.self, at: next(Value.self), path: path)
        advance()
        return value
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.value(type, at: next(type), in: node, key: key)
        advance()
        return value
    }
}

extension JSONUnkeyedDecodingContainer {
    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        let start = try next(KeyedDecodingContainer<NestedKey>.self)
        let nested = JSONKeyedDecodingContainer<NestedKey>(
            object: try decoder.openObject(at: start, node, key))
        advance()
        return KeyedDecodingContainer(nested)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let start = try next((any UnkeyedDecodingContainer).self)
        let nested = try JSONUnkeyedDecodingContainer(
            decoder: decoder, at: start, in: node, key: key)
        advance()
        return nested
    }

    mutating func superDecoder() throws -> any Decoder {
        let start = try next((any Decoder).self)
        defer { advance() }
        return JSONValueDecoder(sharing: decoder, at: start, in: node, key: key)
    }
}
