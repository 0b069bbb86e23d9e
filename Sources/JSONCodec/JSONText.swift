/// JSON, or a part of it.
typealias JSONText = Buffer<UInt8>

extension JSONText {
    /// What follows a text that is decoded: a null for what is missing in it, and room to read
    /// eight bytes anywhere in it.
    private static let ending = Array(" null".utf8) + [UInt8](repeating: 0, count: 8)

    /// Makes `json` the text.
    func replace(with json: UnsafeBufferPointer<UInt8>) {
        removeAll()
        append(json)
        Self.ending.withUnsafeBufferPointer { append($0) }
    }

    /// The text without what follows it.
    var json: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base, count: max(0, count - Self.ending.count))
    }

    /// Where there is a null, for what is missing.
    var missing: Int { json.count + 1 }
}

extension JSONText {
    /// The string that begins at `position`; nil if half of a surrogate pair stands in it.
    @inline(__always)
    func string(at position: Int) -> String? {
        let start = position + 1
        var scanner = JSONScanner(elements, at: position)
        guard (try? scanner.string()) != nil else { return nil }
        let content = UnsafeBufferPointer(rebasing: elements[start..<(scanner.position - 1)])
        guard scanner.isPlain || !content.contains(UInt8(ascii: "\\")) else {
            return Self.unescaped(content)
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
                guard let scalar = scalar(in: content, &position) else { return nil }
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            case let byte: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The character whose digits begin at `position`, of two escapes if it is beyond 16 bits.
    private static func scalar(in content: UnsafeBufferPointer<UInt8>, _ position: inout Int)
        -> Unicode.Scalar?
    {
        let first = unit(in: content, &position)
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard position + 6 <= content.count, content[position] == UInt8(ascii: "\\"),
            content[position + 1] == UInt8(ascii: "u")
        else { return nil }
        position += 2
        let second = unit(in: content, &position)
        guard UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first) & 0x3FF) << 10 + (UInt32(second) & 0x3FF))
    }

    private static func unit(in content: UnsafeBufferPointer<UInt8>, _ position: inout Int)
        -> UInt16
    {
        defer { position += 4 }
        return content[position..<(position + 4)].reduce(0) {
            $0 << 4 | UInt16($1.hexadecimalDigit ?? 0)
        }
    }
}
