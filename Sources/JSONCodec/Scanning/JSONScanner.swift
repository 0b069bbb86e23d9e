/// Skips over JSON and checks it by the grammar of RFC 8259, without decoding values.
package struct JSONScanner {
    /// The reason why bytes are not valid JSON.
    package struct SyntaxError: Error {
        package let offset: Int
        package let reason: String
    }

    /// The largest number of nested containers.
    ///
    /// In a debug build, a recursive type needs 2 to 5 KiB of the stack for each container. All
    /// threads of Apple's systems but the main one have 512 KiB.
    static let maximumDepth = 64

    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int
    /// Whether the last string was plain: ASCII without escapes, so that its bytes are its text.
    var isPlain = true
    /// Where the closing quote of the last string is.
    var endOfString = 0
    /// The number of newlines between tokens so far.
    private(set) var newlines = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Skips the value that begins here, inside of `depth` containers.
    mutating func skipValue(depth: Int) throws {
        switch peek {
        case UInt8(ascii: "{"): try skipObject(depth: depth + 1)
        case UInt8(ascii: "["): try skipArray(depth: depth + 1)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipLiteral("true")
        case UInt8(ascii: "f"): try skipLiteral("false")
        case UInt8(ascii: "n"): try skipLiteral("null")
        default: try skipNumber()
        }
    }

    private mutating func skipObject(depth: Int) throws {
        try check(depth: depth)
        position += 1
        skipSpace()
        if take("}") { return }
        repeat {
            try skipName()
            try skipValue(depth: depth)
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("a comma or the end of an object is missing") }
    }

    /// Skips the name of a member, up to its value.
    @inline(__always)
    mutating func skipName() throws {
        skipSpace()
        try skipString()
        skipSpace()
        guard take(":") else { throw error("a colon is missing") }
        skipSpace()
    }

    private mutating func skipArray(depth: Int) throws {
        try check(depth: depth)
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            skipSpace()
            try skipValue(depth: depth)
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("a comma or the end of an array is missing") }
    }

    private func check(depth: Int) throws {
        guard depth <= Self.maximumDepth else {
            throw error("it has more than \(Self.maximumDepth) levels")
        }
    }

    private mutating func skipLiteral(_ word: StaticString) throws {
        for index in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[index] else { throw error("a value is missing") }
            position += 1
        }
    }

    private mutating func skipNumber() throws {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws {
        let start = position
        while let byte = peek, byte.isDigit { position += 1 }
        if position == start { throw error("a value is missing") }
    }
}

extension JSONScanner {
    @inline(__always)
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips `character` if it is next, and returns whether it was.
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

    /// Checks that only white space follows `what`.
    mutating func expectEnd(after what: String) throws {
        skipSpace()
        guard position == bytes.count else { throw error("something follows \(what)") }
    }

    func error(_ reason: String) -> SyntaxError {
        let atEnd = position >= bytes.count
        return SyntaxError(offset: position, reason: atEnd ? "it ends too early" : reason)
    }
}
