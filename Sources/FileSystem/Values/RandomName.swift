/// Names that no other file has: 32 hexadecimal digits, made of 128 random bits, between a fixed
/// prefix and a fixed suffix.
package enum RandomName {
    package static let digitCount = 32

    /// New random digits.
    package static func digits() -> String {
        // Each commit makes such a name, and `String(_:radix:)` of 128 bits takes a microsecond.
        var random = UInt128.random(in: .min ... .max)
        return String(unsafeUninitializedCapacity: digitCount) { digits in
            for position in 0..<digitCount {
                let digit = UInt8(truncatingIfNeeded: random & 15)
                digits[position] =
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                random >>= 4
            }
            return digitCount
        }
    }

    /// Whether `name` is `prefix`, then 32 hexadecimal digits in lower case, then `suffix`.
    package static func matches(_ name: FileName, prefix: String, suffix: String = "") -> Bool {
        let (bytes, prefix, suffix) = (name.bytes, prefix.utf8, suffix.utf8)
        let digits = bytes.dropFirst(prefix.count).dropLast(suffix.count)
        return bytes.starts(with: prefix) && bytes.suffix(suffix.count).elementsEqual(suffix)
            && digits.count == digitCount
            && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
