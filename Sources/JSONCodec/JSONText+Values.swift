import Foundation

extension JSONText {
    func isNull(at position: Int) -> Bool { elements[position] == UInt8(ascii: "n") }

    func bool(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Bool {
        switch elements[position] {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: throw mismatch(Bool.self, at: position, path: path())
        }
    }

    @inline(__always)
    func string(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> String {
        guard elements[position] == UInt8(ascii: "\"") else {
            throw missing(String.self, at: position, path: path())
        }
        guard let string = string(at: position) else { throw DecodingError.loneSurrogate }
        return string
    }

    /// Decodes a value of a type that `Value` is.
    func value<Value>(
        _ type: JSONLeafType, at position: Int, path: @autoclosure () -> [any CodingKey]
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

    /// `value`, whose type is `Value`, without looking that up again.
    @inline(__always)
    private func cast<Leaf, Value>(_ value: Leaf) -> Value { unsafeBitCast(value, to: Value.self) }
}

extension JSONText {
    private func date(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Date {
        if isNull(at: position) { throw missing(Date.self, at: position, path: path()) }
        return Date(timeIntervalSinceReferenceDate: try double(at: position, path: path()))
    }

    private func uuid(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> UUID {
        if let uuid = UUID(json: elements, at: position) { return uuid }
        guard let uuid = UUID(uuidString: try string(at: position, path: path())) else {
            throw corrupted("Attempted to decode UUID from invalid UUID string.", path())
        }
        return uuid
    }

    private func url(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> URL {
        if isNull(at: position) { throw missing(URL.self, at: position, path: path()) }
        guard let url = URL(string: try string(at: position, path: path())) else {
            throw corrupted("Invalid URL string.", path())
        }
        return url
    }

    private func data(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Data {
        if isNull(at: position) { throw missing(Data.self, at: position, path: path()) }
        guard let data = Data(base64Encoded: try string(at: position, path: path())) else {
            throw corrupted("Encountered Data is not valid Base64.", path())
        }
        return data
    }

    private func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: description))
    }
}

extension UUID {
    /// The UUID whose usual spelling, in quotes, begins at `position`; nil for any other.
    fileprivate init?(json: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard json.count - position >= 38, json[position] == UInt8(ascii: "\""),
            json[position + 9] == UInt8(ascii: "-"), json[position + 14] == UInt8(ascii: "-"),
            json[position + 19] == UInt8(ascii: "-"), json[position + 24] == UInt8(ascii: "-"),
            json[position + 37] == UInt8(ascii: "\"")
        else { return nil }
        let raw = UnsafeRawBufferPointer(json)
        func word(_ first: Int, _ second: Int) -> UInt64 {
            let low = raw.loadUnaligned(fromByteOffset: position + first, as: UInt32.self)
            let high = raw.loadUnaligned(fromByteOffset: position + second, as: UInt32.self)
            return UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high)) << 32
        }
        guard let first = word(1, 5).hexadecimalDigits, let second = word(10, 15).hexadecimalDigits,
            let third = word(20, 25).hexadecimalDigits, let last = word(29, 33).hexadecimalDigits
        else { return nil }
        let bytes = (
            first.littleEndian, second.littleEndian, third.littleEndian, last.littleEndian
        )
        self.init(uuid: unsafeBitCast(bytes, to: uuid_t.self))
    }
}

extension UInt64 {
    /// The four bytes, the first the lowest, that eight printable characters spell; nil if one
    /// of them is no hexadecimal digit.
    fileprivate var hexadecimalDigits: UInt32? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let isLetter = self >> 6 & ones
        let low = self & (ones &* 0x0F)
        let letters = isLetter << 4
        // 0x30 to 0x3F or, in either case, 0x40 to 0x4F; then up to 9, or from 1 to 6.
        let wrong =
            (self & (ones &* 0xD0)) ^ (ones &* 0x10 &+ isLetter &* 0x30)
            | (low &+ ones &* 6) & (ones &* 0x10) & ~letters
            | (low &+ ones &* 9 | ~(low &+ ones &* 0x0F)) & letters
        guard wrong == 0 else { return nil }
        let digits = low &+ isLetter &* 9
        let pairs = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
        let halves = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: halves | halves >> 16)
    }
}
