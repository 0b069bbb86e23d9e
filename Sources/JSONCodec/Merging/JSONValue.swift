import Foundation

/// The bytes of one value of valid JSON, without white space around it.
struct JSONValue {
    let bytes: UnsafeBufferPointer<UInt8>

    /// A member of an object.
    struct Member {
        /// The text of the name; nil if it contains half of a surrogate pair.
        let key: String?
        let value: JSONValue
        /// The bytes from the name to the end of the value.
        let bytes: UnsafeBufferPointer<UInt8>
        /// The name with its quotes.
        let name: UnsafeBufferPointer<UInt8>
    }
}

extension JSONValue {
    var isObject: Bool { bytes.first == UInt8(ascii: "{") }
    var isArray: Bool { bytes.first == UInt8(ascii: "[") }
    var isContainer: Bool { isObject || isArray }
    var isString: Bool { bytes.first == UInt8(ascii: "\"") }
    var isNumber: Bool { bytes.first.map { $0.isDigit || $0 == UInt8(ascii: "-") } ?? false }

    /// Whether both have the same bytes.
    static func == (left: Self, right: Self) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        guard let one = left.bytes.baseAddress, let other = right.bytes.baseAddress else {
            return true
        }
        return memcmp(one, other, left.bytes.count) == 0
    }

    /// The members of an object, in order; empty for any other value.
    ///
    /// - Throws: A syntax error if the object is invalid, or something follows it.
    func members() throws -> [Member] {
        guard isObject else { return [] }
        var members: [Member] = []
        try forEach(until: "}") { scanner in
            let start = scanner.position
            try scanner.skipName()
            let end = scanner.endOfString + 1
            let value = scanner.position
            try scanner.skipValue(depth: Self.depth)
            members.append(
                Member(
                    key: JSONInput.string(at: start, in: bytes),
                    value: JSONValue(bytes: slice(value..<scanner.position)),
                    bytes: slice(start..<scanner.position), name: slice(start..<end)))
            return true
        }
        return members
    }

    /// The value of the first member with a name; nil if there is none.
    ///
    /// The members after it are not read.
    func member(_ name: String) throws -> JSONValue? {
        guard isObject else { return nil }
        var found: JSONValue?
        try forEach(until: "}") { scanner in
            let start = scanner.position
            try scanner.skipName()
            let value = scanner.position
            try scanner.skipValue(depth: Self.depth)
            if JSONInput.string(at: start, in: bytes) == name {
                found = JSONValue(bytes: slice(value..<scanner.position))
            }
            return found == nil
        }
        return found
    }

    /// The elements of an array, in order; empty for any other value.
    func elements() throws -> [JSONValue] {
        guard isArray else { return [] }
        var elements: [JSONValue] = []
        try forEach(until: "]") { scanner in
            let start = scanner.position
            try scanner.skipValue(depth: Self.depth)
            elements.append(JSONValue(bytes: slice(start..<scanner.position)))
            return true
        }
        return elements
    }

    /// The number of containers around a member or an element: the value is counted as an element of an index.
    private static let depth = 2

    /// Calls `skip` at the beginning of each member or element, until it returns false; `skip` moves the scanner to the
    /// end of the member or element.
    private func forEach(
        until end: Unicode.Scalar, _ skip: (inout JSONScanner) throws -> Bool
    ) throws {
        var scanner = JSONScanner(bytes, at: 1)
        scanner.skipSpace()
        if !scanner.take(end) {
            repeat {
                scanner.skipSpace()
                guard try skip(&scanner) else { return }
                scanner.skipSpace()
            } while scanner.take(",")
            guard scanner.take(end) else { throw scanner.error("a comma or the end is missing") }
        }
        try scanner.expectEnd(after: "the value")
    }

    private func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }
}
