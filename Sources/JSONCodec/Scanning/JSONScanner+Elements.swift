extension JSONScanner {
    /// Checks that `bytes` are one JSON array, and returns its elements.
    ///
    /// The elements are not decoded. So an element that does not fit its type does not affect the
    /// other elements, and can be written back byte for byte.
    package static func elements(of bytes: [UInt8]) throws -> [JSONElement] {
        try bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            return try scanner.elements()
        }
    }

    /// Checks that `bytes` are one value that can be an element of an array, and returns it.
    static func element(of bytes: UnsafeBufferPointer<UInt8>) throws -> JSONElement {
        var scanner = JSONScanner(bytes)
        let element = try scanner.element()
        try scanner.expectEnd(after: "the value")
        return element
    }

    private mutating func elements() throws -> [JSONElement] {
        try beginArray()
        var elements: [JSONElement] = []
        if !take("]") {
            repeat {
                elements.append(try element())
            } while take(",")
            guard take("]") else {
                throw error("a comma or the end of the array is missing")
            }
        }
        try expectEnd(after: "the array")
        return elements
    }

    /// Skips to the first element, or to the closing bracket.
    mutating func beginArray() throws {
        skipByteOrderMark()
        skipSpace()
        guard take("[") else { throw error("it does not begin with an array") }
        skipSpace()
    }

    private mutating func element() throws -> JSONElement {
        skipSpace()
        let (start, newlinesBefore) = (position, newlines)
        try skipValue(depth: 1)
        let element = JSONElement(range: start..<position, isOneLine: newlines == newlinesBefore)
        skipSpace()
        return element
    }
}
