/// An array that a type encodes element by element.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    /// The key of the next element.
    private var key: ContainerKey { .index(count) }

    func encodeNil() { encoder.element { $0.append(ascii: "null") } }

    func encode(_ value: Bool) {
        encoder.element { $0.append(ascii: value ? "true" : "false") }
    }

    func encode(_ value: String) { encoder.element { _ = $0.append(quoted: value) } }

    func encode(_ value: Double) throws {
        try encoder.check(value, under: key)
        encoder.element { $0.append(value) }
    }

    func encode(_ value: Float) throws {
        try encoder.check(value, under: key)
        encoder.element { $0.append(value) }
    }

    func encode(_ value: Int) { encoder.element { $0.append(value) } }
    func encode(_ value: Int8) { encoder.element { $0.append(value) } }
    func encode(_ value: Int16) { encoder.element { $0.append(value) } }
    func encode(_ value: Int32) { encoder.element { $0.append(value) } }
    func encode(_ value: Int64) { encoder.element { $0.append(value) } }
    func encode(_ value: Int128) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt8) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt16) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt32) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt64) { encoder.element { $0.append(value) } }
    func encode(_ value: UInt128) { encoder.element { $0.append(value) } }

    func encode(_ value: some Encodable) throws {
        if let leaf = JSONLeaf(value) {
            try encoder.check(leaf, under: key)
            encoder.element { leaf.write(to: $0) }
        } else {
            try encoder.inner(value, under: key) { encoder.element($0) }
        }
    }
}

extension UnkeyedWriter {
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
        -> KeyedEncodingContainer<NestedKey>
    {
        KeyedEncodingContainer(KeyedWriter<NestedKey>(encoder: encoder.element(apart: .object)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedWriter(encoder: encoder.element(apart: .array))
    }

    func superEncoder() -> any Encoder { encoder.element(apart: nil) }
}
