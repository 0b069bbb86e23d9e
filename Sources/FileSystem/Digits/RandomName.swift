/// Names that no other file has: 32 hexadecimal digits, made of 128 random bits, between a fixed
/// prefix and a fixed suffix.
package enum RandomName {
    package static let digitCount = 32

    /// New random digits.
    package static func digits() -> String {
        UInt64.random(in: .min ... .max).hexadecimal()
            + UInt64.random(in: .min ... .max).hexadecimal()
    }

    /// Whether `name` is `prefix`, then 32 hexadecimal digits in lower case, then `suffix`.
    package static func matches(_ name: FileName, prefix: String, suffix: String = "") -> Bool {
        let (bytes, prefix, suffix) = (name.bytes, prefix.utf8, suffix.utf8)
        let digits = bytes.dropFirst(prefix.count).dropLast(suffix.count)
        return bytes.starts(with: prefix) && bytes.suffix(suffix.count).elementsEqual(suffix)
            && areDigits(digits)
    }

    /// Whether `bytes` are 32 hexadecimal digits in lower case.
    package static func areDigits(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == digitCount && bytes.allSatisfy { $0.hexadecimalValue != nil }
    }
}
