extension JSONValue {
    /// Whether both have the same bytes but for the order of members, at every level.
    func hasMembers(of other: JSONValue) throws -> Bool {
        if self == other { return true }
        guard bytes.count == other.bytes.count, isContainer, other.isContainer else { return false }
        return try normalized(isExact: true) == other.normalized(isExact: true)
    }

    /// Whether this text says everything that `other` says: it can have more members, another order of members and
    /// elements, white space, and strings and numbers that are spelled differently.
    ///
    /// If `isOlder`, the question is whether a type can have written `other` after it read this value: members of `other`
    /// can be missing here, and dates can have another form.
    func hasContent(of other: JSONValue, isOlder: Bool = false) throws -> Bool {
        if self == other { return true }
        if isObject, other.isObject {
            let members = try members()
            let index = Self.index(of: members)
            return try other.members().allSatisfy { wanted in
                guard let found = wanted.key.flatMap({ index[$0] }) else { return isOlder }
                return try members[found].value.hasContent(of: wanted.value, isOlder: isOlder)
            }
        }
        if isArray, other.isArray {
            let (elements, others) = try (elements(), other.elements())
            guard elements.count == others.count else { return false }
            let isInOrder = try zip(elements, others).allSatisfy {
                try $0.hasContent(of: $1, isOlder: isOlder)
            }
            return try isInOrder || hasParts(of: other)
        }
        return !isContainer && !other.isContainer
            && isSpelledDifferently(from: other, asDates: isOlder)
    }

    /// Whether both have the same bytes but for the order of members and elements, at every level, and for spelling.
    func hasParts(of other: JSONValue) throws -> Bool {
        try self == other || normalized(isExact: false) == other.normalized(isExact: false)
    }

    /// Whether both are the same string or number in different spellings, or, if `asDates`, the same date.
    func isSpelledDifferently(from other: JSONValue, asDates: Bool = false) -> Bool {
        if isString, other.isString, let string = JSONInput.string(at: 0, in: bytes),
            string == JSONInput.string(at: 0, in: other.bytes)
        {
            return true
        }
        if isNumber && other.isNumber || asDates {
            return seconds != nil && seconds == other.seconds
        }
        return false
    }

    /// The position of each member by its key; as in decoding, canonically equivalent keys are equal.
    static func index(of members: [Member]) -> [String: Int] {
        let keys = members.enumerated().compactMap { index, member in
            member.key.map { ($0, index) }
        }
        return Dictionary(keys) { first, _ in first }
    }
}

extension JSONValue {
    /// The same value with its members in one order; unless `isExact`, also with its elements in one order, and with one
    /// spelling of each string and number.
    private func normalized(isExact: Bool) throws -> [UInt8] {
        if isObject {
            let members = try members().map { member in
                try JSONValue.normalized(member.name, isExact) + [UInt8(ascii: ":")]
                    + member.value.normalized(isExact: isExact)
            }
            return Self.list("{", members.sorted { $0.lexicographicallyPrecedes($1) }, "}")
        }
        if isArray {
            let elements = try elements().map { try $0.normalized(isExact: isExact) }
            let sorted = isExact ? elements : elements.sorted { $0.lexicographicallyPrecedes($1) }
            return Self.list("[", sorted, "]")
        }
        return Self.normalized(bytes, isExact)
    }

    private static func normalized(_ token: UnsafeBufferPointer<UInt8>, _ isExact: Bool) -> [UInt8]
    {
        let value = JSONValue(bytes: token)
        let buffer = ByteBuffer()
        if !isExact, value.isString, let text = JSONInput.string(at: 0, in: token) {
            _ = buffer.append(quoted: text)
        } else if !isExact, value.isNumber, let number = value.seconds, number.isFinite {
            buffer.append(number)
        } else {
            buffer.append(token)
        }
        return Array(buffer.elements)
    }

    /// The text of an object or array.
    static func list(_ begin: Unicode.Scalar, _ parts: [[UInt8]], _ end: Unicode.Scalar) -> [UInt8]
    {
        [UInt8(ascii: begin)] + parts.joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: end)]
    }

    /// The number, or the date in seconds since 2001.
    private var seconds: Double? {
        if isNumber { return Double(String(decoding: bytes, as: UTF8.self)) }
        guard isString, bytes.count >= 2 else { return nil }
        return ISO8601.seconds(UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)]))
    }
}
