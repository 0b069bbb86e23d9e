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
}
