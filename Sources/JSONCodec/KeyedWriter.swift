/// An object that a type encodes by its keys.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key) { $0.append(ascii: "null") } }

    func encode(_ value: Bool, forKey key: Key) {
        encoder.member(key) { $0.append(ascii: value ? "true" : "false") }
    }

    func encode(_ value: String, forKey key: Key) {
        encoder.member(key) { _ = $0.append(quoted: value) }
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try encoder.check(value, under: key)
        encoder.member(key) { $0.append(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try encoder.check(value, under: key)
        encoder.member(key) { $0.append(value) }
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
        encoder.member(key) { $0.append(value) }
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        if let leaf = JSONLeaf(value) {
            try encoder.check(leaf, under: key)
            encoder.member(key) { leaf.write(to: $0) }
        } else {
            try encoder.inner(value, under: key) { encoder.member(key, $0) }
        }
    }
}

extension KeyedWriter {
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    {
        let nested = encoder.member(apart: key, as: .object)
        return KeyedEncodingContainer(KeyedWriter<NestedKey>(encoder: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedWriter(encoder: encoder.member(apart: key, as: .array))
    }

    func superEncoder() -> any Encoder { encoder.member(apart: ContainerKey.super, as: nil) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(apart: key, as: nil) }
}
