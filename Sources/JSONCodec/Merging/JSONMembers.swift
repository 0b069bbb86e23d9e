/// Reads the members of objects without decoding them to a type.
package enum JSONMembers {
    /// The value of a member.
    package struct Value {
        package let json: [UInt8]
        /// Its text if it is a string.
        package let text: String?
    }

    /// The values of the members of `line` whose names are in `names`, the first of each name; nil if the
    /// line is not an object.
    ///
    /// - Throws: A syntax error if the line is not JSON.
    package static func values(of names: Set<String>, in line: ArraySlice<UInt8>) throws
        -> [String: Value]?
    {
        try line.withUnsafeBufferPointer { line in
            let object = JSONValue(bytes: line)
            guard object.isObject else {
                _ = try JSONScanner.element(of: line)
                return nil
            }
            var values: [String: Value] = [:]
            for member in try object.members() {
                guard let key = member.key, names.contains(key), values[key] == nil else {
                    continue
                }
                let bytes = member.value.bytes
                values[key] = Value(
                    json: Array(bytes),
                    text: member.value.isString ? JSONInput.string(at: 0, in: bytes) : nil)
            }
            return values
        }
    }

    /// The names of the members that only one of two lines has, or that have different values.
    ///
    /// Names in `new` come first, in the order of `new`; then those that only `old` has. Lines that are
    /// not objects have no members.
    package static func changed(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> [String]
    {
        old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                // The lines of an index are valid, so nothing is thrown.
                let olds = (try? JSONValue(bytes: old).members()) ?? []
                let news = (try? JSONValue(bytes: new).members()) ?? []
                let changed = news.filter { member in
                    !olds.contains { $0.key == member.key && $0.value == member.value }
                }
                let removed = olds.filter { member in
                    !news.contains { $0.key == member.key }
                }
                return (changed + removed).compactMap(\.key)
            }
        }
    }
}
