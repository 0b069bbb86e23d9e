/// An object that a type decodes by keys.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    /// The decoder that opened the object, which stays open while this container refers to it.
    private var decoder: JSONValueDecoder { object.decoder ?? JSONValueDecoder(object.input) }

    var codingPath: [any CodingKey] { object.path }

    var allKeys: [Key] {
        object.names.compactMap(Key.init(stringValue:))
    }

    func contains(_ key: Key) -> Bool { object.value(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        object.input.isNull(at: try position(of: key))
    }

    /// Where the value of `key` begins.
    @inline(__always)
    private func position(of key: Key) throws -> Int {
        guard let position = object.value(of: key) else { throw notFound(key) }
        return position
    }

    private func notFound(_ key: Key) -> DecodingError {
        .keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription:
                    "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }
}

extension JSONKeyedDecodingContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try object.input.bool(at: position(of: key), path: codingPath + [key])
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try object.input.string(at: position(of: key), path: codingPath + [key])
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try object.input.double(at: position(of: key), path: codingPath + [key])
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try object.input.float(at: position(of: key), path: codingPath + [key])
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value {
        try object.input.integer(Value.self, at: position(of: key), path: codingPath + [key])
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.value(type, at: position(of: key), in: object, key: key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = object.value(of: key),
            !object.input.isNull(at: position)
        else { return nil }
        return try decoder.value(type, at: position, in: object, key: key)
    }
}

extension JSONKeyedDecodingContainer {
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested = try decoder.openObject(at: position(of: key), object, key)
        return KeyedDecodingContainer(JSONKeyedDecodingContainer<NestedKey>(object: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecodingContainer(
            decoder: decoder, at: position(of: key), in: object, key: key)
    }

    func superDecoder() -> any Decoder { superDecoder(at: ImplicitKey.super) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

    /// A decoder of the value of `key`, or of a null if the key is missing.
    private func superDecoder(at key: some CodingKey) -> any Decoder {
        let position = object.value(of: key) ?? object.input.positionOfNull
        return JSONValueDecoder(sharing: decoder, at: position, in: object, key: key)
    }
}
