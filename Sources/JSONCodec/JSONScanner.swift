/// Moves over JSON and checks it by the grammar of RFC 8259, without making values of it.
package struct JSONScanner {
    package struct SyntaxError: Error, Hashable {
        package var offset: Int
        package var reason: String
    }

    /// The most containers in one another, so that no input can exhaust the stack.
    static let maximumDepth = 512

    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int
    /// Whether the last string was ASCII without escapes, so that its bytes are its text.
    private(set) var isPlain = true
    /// The number of newlines between tokens so far.
    private(set) var newlines = 0
    /// Where the last string's closing quote is.
    private(set) var endOfString = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Checks that the bytes are one value, which may stand in `depth` containers.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) throws {
        var scanner = JSONScanner(bytes)
        scanner.skipSpace()
        try scanner.value(depth: depth)
        try scanner.finish("the value")
    }

    /// Moves past the value that begins here and stands in `depth` containers.
    mutating func value(depth: Int) throws {
        switch peek {
        case UInt8(ascii: "{"): try members(depth: depth + 1)
        case UInt8(ascii: "["): try list(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    private mutating func members(depth: Int) throws {
        guard depth <= Self.maximumDepth else { throw error("it is nested too deep") }
        position += 1
        skipSpace()
        if take("}") { return }
        repeat {
            try name()
            try value(depth: depth)
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("a comma or the end of an object is missing") }
    }

    /// Moves past the name of a member, to its value.
    @inline(__always)
    mutating func name() throws {
        skipSpace()
        try string()
        skipSpace()
        guard take(":") else { throw error("a colon is missing") }
        skipSpace()
    }

    private mutating func list(depth: Int) throws {
        guard depth <= Self.maximumDepth else { throw error("it is nested too deep") }
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            skipSpace()
            try value(depth: depth)
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("a comma or the end of an array is missing") }
    }

    private mutating func literal(_ word: StaticString) throws {
        for index in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[index] else { throw error("a value is missing") }
            position += 1
        }
    }

    private mutating func number() throws {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws {
        let start = position
        while let byte = peek, byte &- 0x30 < 10 { position += 1 }
        if position == start { throw error("a value is missing") }
    }
}

extension JSONScanner {
    /// Moves past the string that begins here.
    mutating func string() throws {
        guard take("\"") else { throw error("a string is missing") }
        isPlain = true
        while true {
            skipPlainBytes()
            guard let byte = peek else { throw error("a string does not end") }
            switch byte {
            case UInt8(ascii: "\""):
                endOfString = position
                position += 1
                return
            case UInt8(ascii: "\\"):
                isPlain = false
                try escape()
            case 0x80...:
                isPlain = false
                try sequence()
            case 0..<0x20: throw error("a control character stands in a string")
            default: position += 1
            }
        }
    }

    /// Moves ahead while eight bytes at a time are nothing but text.
    @inline(__always)
    private mutating func skipPlainBytes() {
        let raw = UnsafeRawBufferPointer(bytes)
        while position + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let special = word.bytesThatEndText
            guard special == 0 else {
                position += special.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
    }

    private mutating func escape() throws {
        position += 1
        guard let byte = peek else { throw error("a string does not end") }
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

    /// Moves past one character of more than one byte, well-formed by table 3-7 of Unicode.
    private mutating func sequence() throws {
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

extension JSONScanner {
    @inline(__always)
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    @inline(__always)
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func skipSpace() {
        while let byte = peek, byte.isJSONSpace {
            if byte == UInt8(ascii: "\n") { newlines += 1 }
            position += 1
        }
    }

    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Checks that nothing but space follows `what`.
    mutating func finish(_ what: String) throws {
        skipSpace()
        guard position == bytes.count else { throw error("something follows \(what)") }
    }

    func error(_ reason: String) -> SyntaxError {
        let atEnd = position >= bytes.count
        return SyntaxError(offset: position, reason: atEnd ? "it ends too early" : reason)
    }
}

extension UInt64 {
    /// Of eight bytes, marks the first that is a quote, a backslash, a control character or not
    /// ASCII by its high bit; marks after the first mean nothing.
    @inline(__always)
    var bytesThatEndText: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (self ^ (ones &* 0x22)) &- ones
        let backslashes = (self ^ (ones &* 0x5C)) &- ones
        let controls = self &- (ones &* 0x20)
        return (quotes | backslashes | controls | self) & (ones &* 0x80)
    }
}

extension UInt8 {
    @inline(__always)
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// The value of the hexadecimal digit that this byte is in ASCII.
    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
