/// Copies into the new line of a value the members of the old line that the type of the value does not know.
///
/// Three texts decide: the old line, the encoding of the old value, and the encoding of the new
/// value, which is the new line. A member of the old line that the encoding of the old value lacks is
/// unknown to the type: it stays, byte for byte. A member that only the encoding of the new value lacks
/// was removed.
package struct UnknownMembers {
    private var output: [UInt8] = []
    /// Whether the output has a member or an element that the type did not write.
    private var hasUnknown = false

    /// The line `new` with the unknown members of `old`, at every level; nil if there are none.
    ///
    /// `before` returns the encoding of the old value. It is called only if the two lines differ in more
    /// than values: in their members, the order of these, or the length of an array.
    ///
    /// - Throws: An error of `before`; a syntax error if the line would be longer than 4 GB.
    package static func merge(
        _ old: ArraySlice<UInt8>, into new: ArraySlice<UInt8>,
        before: () throws -> ArraySlice<UInt8>
    ) throws -> ArraySlice<UInt8>? {
        let isSame = try old.withUnsafeBufferPointer { old in
            try new.withUnsafeBufferPointer { try JSONShape.isSame(old, $0) }
        }
        if isSame { return nil }
        let before = try before()
        if before == old { return nil }
        let merged = try old.withUnsafeBufferPointer { old in
            try before.withUnsafeBufferPointer { before in
                try new.withUnsafeBufferPointer { new in
                    var members = UnknownMembers()
                    try members.merge(
                        JSONValue(bytes: old), JSONValue(bytes: before), JSONValue(bytes: new))
                    return members
                }
            }
        }
        guard merged.hasUnknown else { return nil }
        guard merged.output.count <= JSONInput.maximumLength else {
            throw JSONScanner.SyntaxError(offset: 0, reason: "it is longer than 4 GB")
        }
        return merged.output[...]
    }

    private mutating func merge(_ old: JSONValue, _ before: JSONValue, _ new: JSONValue) throws {
        if old.isObject, before.isObject, new.isObject {
            try mergeObjects(old, before, new)
        } else if old.isArray, before.isArray, new.isArray {
            try mergeArrays(old, before, new)
        } else {
            output += new.bytes
        }
    }
}

extension UnknownMembers {
    /// Writes the members of the old object in their order, then the new members.
    private mutating func mergeObjects(
        _ old: JSONValue, _ before: JSONValue, _ new: JSONValue
    ) throws {
        let (known, members) = try (before.members(), new.members())
        let knownIndex = Self.index(of: known)
        let index = Self.index(of: members)
        var isWritten = [Bool](repeating: false, count: members.count)
        var list = List("{")
        for member in try old.members() {
            let isKnown = member.key.flatMap { knownIndex[$0] }
            guard let found = member.key.flatMap({ index[$0] }) else {
                if isKnown == nil {
                    begin(&list)
                    output += member.bytes
                    hasUnknown = true
                }
                continue
            }
            if isWritten[found] { continue }
            isWritten[found] = true
            begin(&list)
            if let isKnown {
                output += members[found].name
                output.append(UInt8(ascii: ":"))
                try merge(member.value, known[isKnown].value, members[found].value)
            } else {
                output += members[found].bytes
            }
        }
        for (member, isWritten) in zip(members, isWritten) where !isWritten {
            begin(&list)
            output += member.bytes
        }
        end(list, "}")
    }

    /// The position of each member by its key; as in decoding, canonically equivalent keys are equal.
    private static func index(of members: [JSONValue.Member]) -> [String: Int] {
        let keys = members.enumerated().compactMap { index, member in
            member.key.map { ($0, index) }
        }
        return Dictionary(keys) { first, _ in first }
    }

    private mutating func mergeArrays(
        _ old: JSONValue, _ before: JSONValue, _ new: JSONValue
    ) throws {
        guard !(before == new) else {
            // An unchanged array stays as it is, with the elements that the type left out.
            let isSame = try JSONShape.isSame(old.bytes, new.bytes)
            hasUnknown = hasUnknown || !isSame
            output += isSame ? new.bytes : old.bytes
            return
        }
        let pairs = try ElementPairs(old: old, before: before, new: new)
        var list = List("[")
        for (element, source) in zip(pairs.new, pairs.sources) {
            begin(&list)
            if let source {
                try merge(pairs.old[source.old], pairs.before[source.before], element)
            } else {
                output += element.bytes
            }
        }
        end(list, "]")
    }
}

extension UnknownMembers {
    /// An object or array that is being written.
    private struct List {
        let bracket: UInt8
        var isEmpty = true

        init(_ bracket: Unicode.Scalar) { self.bracket = UInt8(ascii: bracket) }
    }

    private mutating func begin(_ list: inout List) {
        output.append(list.isEmpty ? list.bracket : UInt8(ascii: ","))
        list.isEmpty = false
    }

    private mutating func end(_ list: List, _ bracket: Unicode.Scalar) {
        if list.isEmpty { output.append(list.bracket) }
        output.append(UInt8(ascii: bracket))
    }
}
