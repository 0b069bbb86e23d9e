extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { writePrimitive { $0.append(ascii: "null") } }
    func encode(_ value: Bool) { writePrimitive { $0.append(ascii: value ? "true" : "false") } }
    func encode(_ value: String) { writePrimitive { _ = $0.append(quoted: value) } }

    func encode(_ value: Double) throws {
        try check(value)
        writePrimitive { $0.append(value) }
    }

    func encode(_ value: Float) throws {
        try check(value)
        writePrimitive { $0.append(value) }
    }

    func encode(_ value: Int) { writePrimitive { $0.append(value) } }
    func encode(_ value: Int8) { writePrimitive { $0.append(value) } }
    func encode(_ value: Int16) { writePrimitive { $0.append(value) } }
    func encode(_ value: Int32) { writePrimitive { $0.append(value) } }
    func encode(_ value: Int64) { writePrimitive { $0.append(value) } }
    func encode(_ value: Int128) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt8) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt16) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt32) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt64) { writePrimitive { $0.append(value) } }
    func encode(_ value: UInt128) { writePrimitive { $0.append(value) } }

    func encode(_ value: some Encodable) throws {
        guard let primitive = JSONPrimitive(value, dates) else { return try encodeInOrder(value) }
        try check(primitive)
        writePrimitive { primitive.write(to: $0) }
    }
}
