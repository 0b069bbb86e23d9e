extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { input.isNull(at: position) }

    func decode(_ type: Bool.Type) throws -> Bool { try input.bool(at: position, path: codingPath) }

    func decode(_ type: String.Type) throws -> String {
        try input.string(at: position, path: codingPath)
    }

    func decode(_ type: Double.Type) throws -> Double {
        try input.double(at: position, path: codingPath)
    }

    func decode(_ type: Float.Type) throws -> Float {
        try input.float(at: position, path: codingPath)
    }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

    private func integer<Value: FixedWidthInteger>() throws -> Value {
        try input.integer(Value.self, at: position, path: codingPath)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}
