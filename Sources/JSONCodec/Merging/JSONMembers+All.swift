package import Foundation

extension JSONMembers {
    /// A member of an object, or an element of an array.
    package struct Member: Sendable {
        /// The text of the name; empty for an element.
        package let name: String
        /// The bytes of the value, as they are.
        package let value: ArraySlice<UInt8>
    }

    /// The members of `object` in their order, the first of each name; nil if it is not an object.
    ///
    /// - Throws: A syntax error if the bytes are not one JSON value, or a name has half of a surrogate pair.
    package static func all(of object: ArraySlice<UInt8>) throws -> [Member]? {
        try object.withUnsafeBufferPointer { bytes in
            let value = JSONValue(bytes: bytes)
            guard value.isObject else {
                _ = try JSONScanner.element(of: bytes)
                return nil
            }
            var members: [Member] = []
            // Only an object of many members needs a set.
            var names: Set<String> = []
            for member in try value.members() {
                guard let name = member.key else {
                    throw JSONScanner.SyntaxError(offset: 0, reason: "a name is not text")
                }
                if members.count == 16 { names = Set(members.map(\.name)) }
                let isNew =
                    members.count < 16
                    ? !members.contains { $0.name == name } : names.insert(name).inserted
                guard isNew else { continue }
                members.append(
                    Member(name: name, value: object.part(member.value.bytes, of: bytes)))
            }
            return members
        }
    }

    /// The value of the first member of `object`, which is valid JSON, with a name; nil if there is none.
    package static func value(of name: String, in object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        object.withUnsafeBufferPointer { bytes in
            (try? JSONValue(bytes: bytes).member(name)).map { object.part($0.bytes, of: bytes) }
        }
    }

    /// The elements of `array` in their order; nil if it is not an array.
    ///
    /// - Throws: A syntax error if the bytes are not one JSON value.
    package static func elements(of array: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>]? {
        try array.withUnsafeBufferPointer { bytes in
            let value = JSONValue(bytes: bytes)
            guard value.isArray else {
                _ = try JSONScanner.element(of: bytes)
                return nil
            }
            return try value.elements().map { array.part($0.bytes, of: bytes) }
        }
    }

    /// Whether `value`, which is valid JSON, has at most `limit` levels of objects and arrays.
    package static func hasLevels(_ value: ArraySlice<UInt8>, upTo limit: Int) -> Bool {
        value.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            return (try? scanner.skipValue(depth: JSONScanner.maximumDepth - limit)) != nil
        }
    }

    /// The UUID whose text is `value`, in any case; nil for any other value.
    package static func uuid(of value: ArraySlice<UInt8>) -> UUID? {
        guard value.count == 38 else { return nil }
        return value.withUnsafeBufferPointer { UUID(json: $0, at: 0) }
    }

    /// The text of a value that is a string; nil for any other value.
    package static func text(of value: ArraySlice<UInt8>) -> String? {
        guard value.first == UInt8(ascii: "\""), value.count >= 2 else { return nil }
        return value.withUnsafeBufferPointer { JSONInput.string(at: 0, in: $0) }
    }
}

extension ArraySlice<UInt8> {
    /// The part of this slice that has the bytes `part`; `whole` are the bytes of the slice.
    func part(
        _ part: UnsafeBufferPointer<UInt8>, of whole: UnsafeBufferPointer<UInt8>
    ) -> ArraySlice<UInt8> {
        guard let start = part.baseAddress, let first = whole.baseAddress else { return [] }
        let offset = startIndex + (start - first)
        return self[offset..<offset + part.count]
    }
}
