/// An array that a type encodes element by element.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    /// The key of the next element.
    private var key: ImplicitKey { .index(count) }

    func encodeNil() { encoder.writeElement { $0.append(ascii: "null") } }

    func encode(_ value: Bool) {
        encoder.writeElement { $0.append(ascii: value ? "true" : "false") }
    }

    func encode(_ value: String) { encoder.writeElement { _ = $0.append(quoted: value) } }

    func encode(_ value: Double) throws {
        try encoder.check(value, under: key)
        encoder.writeElement { $0.append(value) }
    }

    func encode(_ value: Float) throws {
        try encoder.check(value, under: key)
        encoder.writeElement { $0.append(value) }
    }

    func encode(_ value: Int) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: Int8) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: Int16) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: Int32) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: Int64) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: Int128) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt8) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt16) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt32) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt64) { encoder.writeElement { $0.append(value) } }
    func encode(_ value: UInt128) { encoder.writeElement { $0.append(value) } }

    func encode(_ value: some Encodable) throws {
        if let primitive = JSONPrimitive(value, encoder.dates) {
            try encoder.check(primitive, under: key)
            encoder.writeElement { primitive.write(to: $0) }
        } else {
            try encoder.encodeNested(value, under: key) { encoder.writeElement($0) }
        }
    }

    func encode<Values: Sequence>(contentsOf values: Values) throws
    where Values.Element: Encodable {
        try encoder.writeInOrder(Values.self) {
            for value in values { try encode(value) }
        }
    }
}

extension JSONUnkeyedEncodingContainer {
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
        -> KeyedEncodingContainer<NestedKey>
    {
        KeyedEncodingContainer(
            JSONKeyedEncodingContainer<NestedKey>(encoder: encoder.openElement(as: .object)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncodingContainer(encoder: encoder.openElement(as: .array))
    }

    func superEncoder() -> any Encoder { encoder.openElement(as: nil) }
}
