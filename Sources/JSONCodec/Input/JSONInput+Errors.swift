extension JSONInput {
    /// The error for a value that is not of `type`: Foundation has another code for a null.
    func wrongValue(_ type: Any.Type, at position: Int, path: [any CodingKey]) -> DecodingError {
        guard isNull(at: position) else { return mismatch(type, at: position, path: path) }
        return .valueNotFound(
            type,
            .init(
                codingPath: path,
                debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }

    func mismatch(_ type: Any.Type, at position: Int, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            .init(
                codingPath: path,
                debugDescription:
                    "Expected to decode \(type) but found \(kind(at: position)) instead."))
    }

    func wrongContainer(
        _ type: Any.Type, _ name: String, at position: Int, path: [any CodingKey]
    ) -> DecodingError {
        guard isNull(at: position) else { return mismatch(type, at: position, path: path) }
        return .valueNotFound(
            type,
            .init(
                codingPath: path,
                debugDescription:
                    "Cannot get \(name) decoding container -- found null value instead"))
    }

    private func kind(at position: Int) -> String {
        switch bytes[position] {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "{"): "a dictionary"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "bool"
        case UInt8(ascii: "n"): "null"
        default: "number"
        }
    }
}

extension DecodingError {
    /// The error for invalid JSON: its coding path is empty, as in Foundation's.
    static func invalid(_ description: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: description))
    }

    static var loneSurrogate: DecodingError {
        invalid("A string contains half of a surrogate pair.")
    }
}
