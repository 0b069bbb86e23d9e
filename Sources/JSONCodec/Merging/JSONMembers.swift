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
}
