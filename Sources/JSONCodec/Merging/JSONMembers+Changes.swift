extension JSONMembers {
    /// A member that only one of two objects has, or that has different values in them.
    package struct Change: Sendable {
        /// The text of the name.
        package let name: String
        /// The bytes of the value before the change; nil if there was none.
        package let old: ArraySlice<UInt8>?
        /// The bytes of the value after the change; nil if there is none.
        package let new: ArraySlice<UInt8>?

        package init(_ name: String, from old: ArraySlice<UInt8>?, to new: ArraySlice<UInt8>?) {
            (self.name, self.old, self.new) = (name, old, new)
        }
    }

    /// The changes between two lines, where the first member of a name counts.
    ///
    /// Those of members in `new` come first, in the order of `new`; then those of members that only `old` has. Lines
    /// that are not objects have no members.
    package static func changes(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> [Change]
    {
        let (olds, news) = (firstMembers(of: old), firstMembers(of: new))
        let removed = olds.names.filter { news.values[$0] == nil }
        return (news.names + removed).compactMap { name in
            let (value, newValue) = (olds.values[name], news.values[name])
            return value == newValue ? nil : Change(name, from: value, to: newValue)
        }
    }

    /// `object`, which is valid JSON, with `values` as the values of the members with these names; members that it does
    /// not have are added in the order of their names.
    package static func replacing(
        _ values: [String: ArraySlice<UInt8>], in object: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        object.withUnsafeBufferPointer { bytes in
            guard let members = try? JSONValue(bytes: bytes).members() else { return object }
            var rest = values
            var parts = members.map { member in
                guard let name = member.key, let value = rest.removeValue(forKey: name) else {
                    return Array(member.bytes)
                }
                return self.member(name, value)
            }
            parts += rest.sorted { $0.key < $1.key }.map(member)
            return JSONValue.list("{", parts, "}")[...]
        }
    }

    /// The text of a member.
    private static func member(_ name: String, _ value: ArraySlice<UInt8>) -> [UInt8] {
        let quoted = ByteBuffer()
        _ = quoted.append(quoted: name)
        return Array(quoted.elements) + [UInt8(ascii: ":")] + value
    }

    /// The names of the members of a line in their order, each once, and the value of the first member of each name.
    private static func firstMembers(of line: ArraySlice<UInt8>) -> (
        names: [String], values: [String: ArraySlice<UInt8>]
    ) {
        line.withUnsafeBufferPointer { bytes in
            var names: [String] = []
            var values: [String: ArraySlice<UInt8>] = [:]
            // The lines of an index are valid, so nothing is thrown.
            for member in (try? JSONValue(bytes: bytes).members()) ?? [] {
                guard let name = member.key, values[name] == nil else { continue }
                names.append(name)
                values[name] = line.part(member.value.bytes, of: bytes)
            }
            return (names, values)
        }
    }
}
