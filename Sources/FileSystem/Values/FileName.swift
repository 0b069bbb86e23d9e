import CPosix

/// One component of a path, valid by construction.
///
/// A file name is 1 to 255 bytes without `/` and NUL, and is neither `.` nor `..`. So a path
/// built from file names cannot leave the folder it starts in. Names compare byte by byte, as on
/// Linux; `folded` is equal for two names that a volume without case or normalisation takes for
/// one name.
package struct FileName: Hashable, Sendable {
    /// The bytes as the file system stores them, without a terminating NUL.
    package let bytes: [UInt8]

    /// In bytes: the longest name on common file systems (NAME_MAX).
    package static let maximumLength = 255

    /// Creates a name from `bytes`, or returns nil if they are not a valid name.
    package init?(bytes: [UInt8]) {
        let count = bytes.count
        guard count > 0, count <= Self.maximumLength else { return nil }
        let dot = UInt8(ascii: ".")
        if count <= 2, bytes[0] == dot, bytes[count - 1] == dot { return nil }
        if bytes.has(0) || bytes.has(UInt8(ascii: "/")) { return nil }
        self.bytes = bytes
    }

    /// Creates a name from `string`, or returns nil if it is not a valid name.
    package init?(_ string: some StringProtocol) {
        self.init(bytes: Array(string.utf8))
    }

    /// Creates a name from `string`, or throws `invalidArgument` if it is not a valid name.
    package init(validating string: String) throws {
        guard let name = FileName(string) else {
            throw FileSystemError("use as a file name", string, .invalidArgument)
        }
        self = name
    }

    /// The name as text, with U+FFFD for bytes that are not UTF-8.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The name as text, nil if it is not UTF-8.
    package var exactString: String? {
        let string = string
        return string.utf8.elementsEqual(bytes) ? string : nil
    }

    /// Whether the name begins with a dot, so that file managers hide it.
    package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }
}

extension FileName: ExpressibleByStringLiteral {
    package init(stringLiteral value: StaticString) {
        bytes = value.withUTF8Buffer(Array.init)
        precondition(FileName(bytes: bytes) != nil, "\(value) is not a file name")
    }
}

extension FileName: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let string = try container.decode(String.self)
        guard let name = FileName(string) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(string)\" is not a file name")
        }
        self = name
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}

extension FileName: CustomStringConvertible {
    package var description: String { string }
}

extension [UInt8] {
    /// Whether one of the bytes is `byte`; also fast in a debug build, unlike `contains`.
    fileprivate func has(_ byte: UInt8) -> Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, Int32(byte), bytes.count) != nil
        }
    }
}
