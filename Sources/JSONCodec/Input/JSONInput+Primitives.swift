import Foundation

extension JSONInput {
    func isNull(at position: Int) -> Bool { bytes[position] == UInt8(ascii: "n") }

    func bool(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Bool {
        switch bytes[position] {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: throw mismatch(Bool.self, at: position, path: path())
        }
    }

    @inline(__always)
    func string(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> String {
        guard bytes[position] == UInt8(ascii: "\"") else {
            throw wrongValue(String.self, at: position, path: path())
        }
        guard let string = string(at: position) else { throw DecodingError.loneSurrogate }
        return string
    }

    /// Decodes a primitive value; `Value` must be the type that `type` stands for.
    func primitive<Value>(
        _ type: PrimitiveType, at position: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> Value {
        switch type {
        case .string: cast(try string(at: position, path: path()))
        case .int: cast(try integer(Int.self, at: position, path: path()))
        case .double: cast(try double(at: position, path: path()))
        case .uuid: cast(try uuid(at: position, path: path()))
        case .date: cast(try date(at: position, path: path()))
        case .url: cast(try url(at: position, path: path()))
        case .data: cast(try data(at: position, path: path()))
        case .decimal: cast(try decimal(at: position, path: path()))
        }
    }

    /// Casts `value` to its own type `Value`, without a check at run time.
    @inline(__always)
    private func cast<Primitive, Value>(_ value: Primitive) -> Value {
        unsafeBitCast(value, to: Value.self)
    }
}

extension JSONInput {
    private func date(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Date {
        if isNull(at: position) { throw wrongValue(Date.self, at: position, path: path()) }
        if bytes[position] == UInt8(ascii: "\""), var text = string(at: position),
            let seconds = text.withUTF8(ISO8601.seconds)
        {
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        return Date(timeIntervalSinceReferenceDate: try double(at: position, path: path()))
    }

    private func uuid(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> UUID {
        if let uuid = UUID(json: bytes, at: position) { return uuid }
        guard let uuid = UUID(uuidString: try string(at: position, path: path())) else {
            throw corrupted("Attempted to decode UUID from invalid UUID string.", path())
        }
        return uuid
    }

    private func url(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> URL {
        if isNull(at: position) { throw wrongValue(URL.self, at: position, path: path()) }
        guard let url = URL(string: try string(at: position, path: path())) else {
            throw corrupted("Invalid URL string.", path())
        }
        return url
    }

    private func data(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Data {
        if isNull(at: position) { throw wrongValue(Data.self, at: position, path: path()) }
        guard let data = Data(base64Encoded: try string(at: position, path: path())) else {
            throw corrupted("Encountered Data is not valid Base64.", path())
        }
        return data
    }

    private func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: description))
    }
}
