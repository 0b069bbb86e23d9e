extension JSONMembers {
    /// Whether two values, which are valid JSON, differ in nothing but the order of members and elements, and in
    /// spelling.
    ///
    /// The order of elements means nothing if the value is a set, which its JSON does not tell.
    package static func haveSameParts(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool
    {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                let (one, two) = (JSONValue(bytes: left), JSONValue(bytes: right))
                return (try? one.hasParts(of: two)) ?? false
            }
        }
    }

    /// `object`, which is valid JSON, with `value` as the value of its member `name`.
    package static func replacing(
        _ name: String, by value: ArraySlice<UInt8>, in object: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        object.withUnsafeBufferPointer { bytes in
            guard let members = try? JSONValue(bytes: bytes).members() else { return object }
            let quoted = ByteBuffer()
            _ = quoted.append(quoted: name)
            let replaced = Array(quoted.elements) + [UInt8(ascii: ":")] + value
            let position = members.firstIndex { $0.key == name }
            var parts = members.map { Array($0.bytes) }
            if let position { parts[position] = replaced } else { parts.append(replaced) }
            return JSONValue.list("{", parts, "}")[...]
        }
    }
}
