/// One element of a JSON array.
package struct JSONElement {
    package var range: Range<Int>
    var isOneLine: Bool

    /// Its JSON, in one line.
    package func line(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        isOneLine ? bytes[range] : bytes[range].withoutSpaceBetweenTokens()[...]
    }
}

extension JSONScanner {
    /// Checks that `bytes` are one JSON array, and returns its elements.
    ///
    /// Elements are told apart without being decoded, so that one that no longer fits its type
    /// leaves the others alone, and so that its bytes can be written back as they came.
    package static func elements(of bytes: [UInt8]) throws -> [JSONElement] {
        try bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            return try scanner.document()
        }
    }

    private mutating func document() throws -> [JSONElement] {
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
        try finish("the array")
        return elements
    }

    /// Moves to the first element, or to the closing bracket.
    mutating func beginArray() throws {
        skipByteOrderMark()
        skipSpace()
        guard take("[") else { throw error("it does not begin with an array") }
        skipSpace()
    }

    private mutating func element() throws -> JSONElement {
        skipSpace()
        let (start, line) = (position, newlines)
        try value(depth: 1)
        let element = JSONElement(range: start..<position, isOneLine: newlines == line)
        skipSpace()
        return element
    }
}

extension Sequence<UInt8> {
    /// The same JSON value in one line: what stands between its tokens is left out.
    func withoutSpaceBetweenTokens() -> [UInt8] {
        var inString = false
        var escaped = false
        return filter { byte in
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                return true
            }
            inString = byte == UInt8(ascii: "\"")
            return !byte.isJSONSpace
        }
    }
}
