extension JSONText {
    func append(ascii text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }
}

extension JSONText {
    /// Appends a string with its quotes; returns whether it was ASCII without escapes.
    @inline(__always)
    func append(quoted string: String) -> Bool {
        var string = string
        return string.withUTF8 { utf8 in
            append(UInt8(ascii: "\""))
            let isPlain = append(escaping: utf8)
            append(UInt8(ascii: "\""))
            return isPlain
        }
    }

    @inline(__always)
    private func append(escaping text: UnsafeBufferPointer<UInt8>) -> Bool {
        var isPlain = true
        var offset = 0
        let raw = UnsafeRawBufferPointer(text)
        while offset < text.count {
            while offset + 8 <= text.count {
                let word = UInt64(
                    littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                guard word.bytesThatEndText == 0 else { break }
                reserve(8)
                UnsafeMutableRawPointer(base + count).storeBytes(
                    of: word.littleEndian, as: UInt64.self)
                offset += 8
                advance(8)
            }
            guard offset < text.count else { break }
            isPlain = append(escaping: text[offset]) && isPlain
            offset += 1
        }
        return isPlain
    }

    /// Appends one byte of a string; returns whether it was ASCII without an escape.
    @inline(__always)
    private func append(escaping byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(escape: byte)
        case 0x08: append(escape: UInt8(ascii: "b"))
        case 0x09: append(escape: UInt8(ascii: "t"))
        case 0x0A: append(escape: UInt8(ascii: "n"))
        case 0x0C: append(escape: UInt8(ascii: "f"))
        case 0x0D: append(escape: UInt8(ascii: "r"))
        case 0..<0x20:
            append(ascii: byte < 0x10 ? "\\u000" : "\\u00")
            append(ascii: String(byte, radix: 16))
        default:
            append(byte)
            return byte < 0x80
        }
        return false
    }

    private func append(escape letter: UInt8) {
        append(UInt8(ascii: "\\"))
        append(letter)
    }
}

extension JSONText {
    @inline(__always)
    func append(_ integer: some FixedWidthInteger) {
        guard let small = Int64(exactly: integer) else { return append(ascii: "\(integer)") }
        reserve(20)
        if small < 0 { append(UInt8(ascii: "-")) }
        var rest = small.magnitude
        var length = 1
        var limit: UInt64 = 10
        while length < 19 && rest >= limit {
            length += 1
            limit *= 10
        }
        for offset in stride(from: length - 1, through: 0, by: -1) {
            base[count + offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        advance(length)
    }

    /// Appends a finite number, without a fraction where it has none.
    func append(_ number: some LosslessStringConvertible & BinaryFloatingPoint) {
        var text = number.description
        text.withUTF8 { digits in
            let isWhole =
                digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".")
                && digits[digits.count - 1] == UInt8(ascii: "0")
            append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }
}
