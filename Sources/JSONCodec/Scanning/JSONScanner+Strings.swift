extension JSONScanner {
    /// Skips the string that begins here.
    mutating func skipString() throws {
        guard take("\"") else { throw error("a string is missing") }
        isPlain = true
        while true {
            skipPlainBytes()
            guard let byte = peek else { throw error("a string has no end") }
            switch byte {
            case UInt8(ascii: "\""):
                endOfString = position
                position += 1
                return
            case UInt8(ascii: "\\"):
                isPlain = false
                try skipEscape()
            case 0x80...:
                isPlain = false
                try skipMultibyteCharacter()
            case 0..<0x20: throw error("a string contains a control character")
            default: position += 1
            }
        }
    }

    /// Skips plain text, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlainBytes() {
        let raw = UnsafeRawBufferPointer(bytes)
        while position + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let special = word.bytesThatEndPlainText
            guard special == 0 else {
                position += special.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
    }

    private mutating func skipEscape() throws {
        position += 1
        guard let byte = peek else { throw error("a string has no end") }
        position += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                guard peek?.hexadecimalDigit != nil else {
                    throw error("an escape has a digit that is not hexadecimal")
                }
                position += 1
            }
        } else if !#""\/bfnrt"#.utf8.contains(byte) {
            throw error("an escape is unknown")
        }
    }

    /// Skips one character of several bytes, which must be well-formed by table 3-7 of the
    /// Unicode standard.
    private mutating func skipMultibyteCharacter() throws {
        let (count, second): (Int, ClosedRange<UInt8>) =
            switch bytes[position] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw notUTF8
            }
        guard position + count <= bytes.count, second.contains(bytes[position + 1]) else {
            throw notUTF8
        }
        for offset in 2..<max(count, 2) where bytes[position + offset] & 0xC0 != 0x80 {
            throw notUTF8
        }
        position += count
    }

    private var notUTF8: SyntaxError { SyntaxError(offset: position, reason: "it is not UTF-8") }
}
