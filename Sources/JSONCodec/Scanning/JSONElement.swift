/// One element of a JSON array.
package struct JSONElement {
    let range: Range<Int>
    let isOneLine: Bool

    /// The element's JSON in one line; `bytes` are those of the array.
    package func line(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        isOneLine ? bytes[range] : bytes[range].withoutSpaceBetweenTokens()[...]
    }
}

extension Sequence<UInt8> {
    /// The same JSON value without white space between its tokens, and so in one line.
    func withoutSpaceBetweenTokens() -> [UInt8] {
        var inString = false
        var isEscaped = false
        return filter { byte in
            if inString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
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
