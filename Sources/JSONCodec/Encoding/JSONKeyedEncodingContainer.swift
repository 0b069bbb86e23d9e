/// An object that a type encodes by keys.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.writeMember(key) { $0.append(ascii: "null") } }

    func encode(_ value: Bool, forKey key: Key) {
        encoder.writeMember(key) { $0.append(ascii: value ? "true" : "false") }
    }

    func encode(_ value: String, forKey key: Key) {
        encoder.writeMember(key) { _ = $0.append(quoted: value) }
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try encoder.check(value, under: key)
        encoder.writeMember(key) { $0.append(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try encoder.check(value, under: key)
        encoder.writeMember(key) { $0.append(value) }
    }

    func encode(_ value: Int, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) { integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) { integer(value, key) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) {
        encoder.writeMember(key) { $0.append(value) }
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        if let primitive = JSONPrimitive(value, encoder.dates) {
            try encoder.check(primitive, under: key)
            encoder.writeMember(key) { primitive.write(to: $0) }
        } else {
            try encoder.encodeNested(value, under: key) { encoder.writeMember(key, $0) }
        }
    }
}

extension JSONKeyedEncodingContainer {
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    {
        let nested = encoder.openMember(key, as: .object)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<NestedKey>(encoder: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncodingContainer(encoder: encoder.openMember(key, as: .array))
    }

    func superEncoder() -> any Encoder { encoder.openMember(ImplicitKey.super, as: nil) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.openMember(key, as: nil) }
}
