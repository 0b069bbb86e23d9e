extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { token { $0.append(ascii: "null") } }
    func encode(_ value: Bool) { token { $0.append(ascii: value ? "true" : "false") } }
    func encode(_ value: String) { token { _ = $0.append(quoted: value) } }

    func encode(_ value: Double) throws {
        try check(value)
        token { $0.append(value) }
    }

    func encode(_ value: Float) throws {
        try check(value)
        token { $0.append(value) }
    }

    func encode(_ value: Int) { token { $0.append(value) } }
    func encode(_ value: Int8) { token { $0.append(value) } }
    func encode(_ value: Int16) { token { $0.append(value) } }
    func encode(_ value: Int32) { token { $0.append(value) } }
    func encode(_ value: Int64) { token { $0.append(value) } }
    func encode(_ value: Int128) { token { $0.append(value) } }
    func encode(_ value: UInt) { token { $0.append(value) } }
    func encode(_ value: UInt8) { token { $0.append(value) } }
    func encode(_ value: UInt16) { token { $0.append(value) } }
    func encode(_ value: UInt32) { token { $0.append(value) } }
    func encode(_ value: UInt64) { token { $0.append(value) } }
    func encode(_ value: UInt128) { token { $0.append(value) } }

    func encode(_ value: some Encodable) throws {
        guard let leaf = JSONLeaf(value) else { return try value.encode(to: self) }
        try check(leaf)
        token { leaf.write(to: $0) }
    }
}
