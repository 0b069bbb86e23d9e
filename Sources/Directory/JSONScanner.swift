/// Checks that bytes are one JSON array by the grammar of RFC 8259, and finds its elements.
///
/// Elements are told apart without being decoded, so that one that no longer fits its type
/// leaves the others alone, and so that its bytes can be written back as they came.
struct JSONScanner {
    struct SyntaxError: Error, Hashable {
        var offset: Int
        var reason: String
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Deeper nesting than this is refused, so that no input can exhaust the stack.
    static let maximumDepth = 512

    /// The ranges of the elements of the array that `bytes` hold.
    static func elements(of bytes: [UInt8]) throws -> [Range<Int>] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw SyntaxError(offset: 0, reason: "it is not UTF-8")
        }
        return try bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(bytes: buffer)
            return try scanner.document()
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func document() throws -> [Range<Int>] {
        var elements: [Range<Int>] = []
        skipSpace()
        guard take("[") else { throw error("it does not begin with an array") }
        skipSpace()
        if !take("]") {
            repeat {
                skipSpace()
                let start = position
                try value(depth: 1)
                elements.append(start..<position)
                skipSpace()
            } while take(",")
            guard take("]") else { throw error("a comma or the end of the array is missing") }
        }
        skipSpace()
        guard position == bytes.count else { throw error("something follows the array") }
        return elements
    }

    private mutating func value(depth: Int) throws {
        guard depth < Self.maximumDepth else { throw error("it is nested too deep") }
        switch peek {
        case UInt8(ascii: "{"): try members(depth: depth)
        case UInt8(ascii: "["): try list(depth: depth)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    private mutating func members(depth: Int) throws {
        position += 1
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            try string()
            skipSpace()
            guard take(":") else { throw error("a colon is missing") }
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("a comma or the end of an object is missing") }
    }

    private mutating func list(depth: Int) throws {
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("a comma or the end of an array is missing") }
    }

    private mutating func string() throws {
        guard take("\"") else { throw error("a string is missing") }
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw error("a control character stands in a string")
            default: break
            }
        }
        throw error("a string does not end")
    }

    private mutating func escape() throws {
        guard let byte = peek else { throw error("a string does not end") }
        position += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                guard let digit = peek, Character(Unicode.Scalar(digit)).isHexDigit else {
                    throw error("an escape has a digit that is not hexadecimal")
                }
                position += 1
            }
        } else if !#""\/bfnrt"#.utf8.contains(byte) {
            throw error("an escape is unknown")
        }
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
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        if position == start { throw error("a value is missing") }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private func error(_ reason: String) -> SyntaxError {
        let atEnd = position >= bytes.count
        return SyntaxError(offset: position, reason: atEnd ? "it ends too early" : reason)
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
            return ![0x20, 0x0A, 0x0D, 0x09].contains(byte)
        }
    }
}
