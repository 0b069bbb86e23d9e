extension JSONInput {
    /// The string that begins at `position`; nil if it contains half of a surrogate pair.
    @inline(__always)
    func string(at position: Int) -> String? { Self.string(at: position, in: bytes) }

    /// The string that begins at `position` of `bytes`; nil if it contains half of a surrogate pair.
    @inline(__always)
    static func string(at position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let start = position + 1
        var scanner = JSONScanner(bytes, at: position)
        guard (try? scanner.skipString()) != nil else { return nil }
        let content = UnsafeBufferPointer(rebasing: bytes[start..<scanner.endOfString])
        guard scanner.isPlain || !content.contains(UInt8(ascii: "\\")) else {
            return unescaped(content)
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var position = 0
        while position < content.count {
            guard content[position] == UInt8(ascii: "\\") else {
                result.append(content[position])
                position += 1
                continue
            }
            position += 2
            switch content[position - 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(in: content, at: &position) else { return nil }
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            case let byte: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The character whose hexadecimal digits begin at `position`, in two escapes if it has more
    /// than 16 bits; moves `position` to the end of the digits.
    private static func scalar(in content: UnsafeBufferPointer<UInt8>, at position: inout Int)
        -> Unicode.Scalar?
    {
        let first = codeUnit(in: content, at: &position)
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard position + 6 <= content.count, content[position] == UInt8(ascii: "\\"),
            content[position + 1] == UInt8(ascii: "u")
        else { return nil }
        position += 2
        let second = codeUnit(in: content, at: &position)
        guard UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first) & 0x3FF) << 10 + (UInt32(second) & 0x3FF))
    }

    private static func codeUnit(in content: UnsafeBufferPointer<UInt8>, at position: inout Int)
        -> UInt16
    {
        defer { position += 4 }
        return content[position..<(position + 4)].reduce(0) {
            $0 << 4 | UInt16($1.hexadecimalDigit ?? 0)
        }
    }
}
