extension ByteBuffer {
    func append(ascii text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends `string` in quotes, and returns whether it is plain: ASCII without escapes.
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
                guard word.bytesThatEndPlainText == 0 else { break }
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

    /// Appends one byte of a string, and returns whether it is ASCII without an escape.
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
