/// Keeps in the new line of a value the parts of its old line that the change of the value does not concern.
///
/// Three texts decide: the old line, the encoding of the old value, and the encoding of the new
/// value, which is the new line.
///
/// - A member of the old line that the encoding of the old value lacks is unknown to the type: it stays, byte for
///   byte. A member that only the encoding of the new value lacks was removed.
/// - A value whose two encodings are equal did not change. It keeps its old bytes, if these differ from the encoding
///   only in the order of members and elements, in white space, or in the spelling of strings and numbers.
package struct UnknownMembers {
    private var output: [UInt8] = []
    /// Whether the output has a part that is not as in the new line.
    private var hasOldParts = false
    /// Whether values that did not change keep their old bytes.
    private let keepsValues: Bool
    /// Whether one has kept bytes that are not those of the new line.
    private var hasOldValues = false

    /// The line `new` with the parts of `old` that stay, at every level; nil if there are none.
    ///
    /// `before` returns the encoding of the old value. It is not called if the two lines differ in nothing but the
    /// values of members. `hasOneOrder` says whether the encoder gives the members of a type one order. `isSame` says
    /// whether a line, in which a value has other bytes than in `new`, encodes the new value: the order of the elements of
    /// one array can mean something for another one. If it does not, all values have their new bytes.
    ///
    /// - Throws: An error of `before`; a syntax error if the line would be longer than 4 GB.
    package static func merge(
        _ old: ArraySlice<UInt8>, into new: ArraySlice<UInt8>, hasOneOrder: Bool = true,
        before: () throws -> ArraySlice<UInt8>,
        isSame isUnchanged: (ArraySlice<UInt8>) -> Bool = { _ in true }
    ) throws -> ArraySlice<UInt8>? {
        let isSame = try old.withUnsafeBufferPointer { old in
            try new.withUnsafeBufferPointer { try JSONShape.isSameButForValues(old, $0) }
        }
        if isSame { return nil }
        let before = try before()
        // The encoder would write the old value as it is: then it writes what did not change as it is, too.
        if hasOneOrder, before == old { return nil }
        var merged = try UnknownMembers(old, before, new, keepsValues: true)
        if merged.hasOldValues, !isUnchanged(merged.output[...]) {
            merged = try UnknownMembers(old, before, new, keepsValues: false)
        }
        guard merged.hasOldParts else { return nil }
        guard merged.output.count <= JSONInput.maximumLength else {
            throw JSONScanner.SyntaxError(offset: 0, reason: "it is longer than 4 GB")
        }
        return merged.output[...]
    }

    private init(
        _ old: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>,
        keepsValues: Bool
    ) throws {
        self.keepsValues = keepsValues
        try old.withUnsafeBufferPointer { old in
            try before.withUnsafeBufferPointer { before in
                try new.withUnsafeBufferPointer { new in
                    try merge(
                        JSONValue(bytes: old), JSONValue(bytes: before), JSONValue(bytes: new))
                }
            }
        }
    }

    private mutating func merge(_ old: JSONValue, _ before: JSONValue, _ new: JSONValue) throws {
        if try before.hasMembers(of: new), try old.hasContent(of: new) {
            let isKept = keepsValues && !(old == new)
            hasOldParts = hasOldParts || isKept
            hasOldValues = hasOldValues || isKept
            output += isKept ? old.bytes : new.bytes
        } else if old.isObject, before.isObject, new.isObject {
            try mergeObjects(old, before, new)
        } else if old.isArray, before.isArray, new.isArray {
            try mergeArrays(old, before, new)
        } else {
            output += new.bytes
        }
    }
}

extension UnknownMembers {
    /// Writes the members of the new object.
    ///
    /// If the old object has unknown members, all its members are written first, in their order.
    private mutating func mergeObjects(
        _ old: JSONValue, _ before: JSONValue, _ new: JSONValue
    ) throws {
        let (olds, befores, members) = try (old.members(), before.members(), new.members())
        let (oldIndex, knownIndex) = (JSONValue.index(of: olds), JSONValue.index(of: befores))
        let index = JSONValue.index(of: members)
        var isWritten = [Bool](repeating: false, count: members.count)
        var list = List("{")
        func isUnknown(_ member: JSONValue.Member) -> Bool {
            member.key.map { knownIndex[$0] == nil && index[$0] == nil } ?? true
        }
        for member in olds.contains(where: isUnknown) ? olds : [] {
            if isUnknown(member) {
                begin(&list)
                output += member.bytes
                hasOldParts = true
            } else if let found = member.key.flatMap({ index[$0] }), !isWritten[found] {
                try write(found)
            }
        }
        for found in members.indices where !isWritten[found] { try write(found) }
        end(list, "}")

        func write(_ found: Int) throws {
            let member = members[found]
            isWritten[found] = true
            begin(&list)
            output += member.name
            output.append(UInt8(ascii: ":"))
            if let key = member.key, let old = oldIndex[key], let known = knownIndex[key] {
                try merge(olds[old].value, befores[known].value, member.value)
            } else {
                output += member.value.bytes
            }
        }
    }

    private mutating func mergeArrays(
        _ old: JSONValue, _ before: JSONValue, _ new: JSONValue
    ) throws {
        if try before.hasMembers(of: new) {
            // An unchanged array stays as it is, with the elements that the type left out.
            let isSame = try JSONShape.isSame(old.bytes, new.bytes)
            hasOldParts = hasOldParts || !isSame
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
