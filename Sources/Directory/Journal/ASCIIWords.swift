import FileSystem

extension ArraySlice<UInt8> {
    /// Removes the bytes before the first space, and that space.
    ///
    /// - Returns: The bytes before the space; nil if there is no space: then nothing is removed.
    mutating func removeFirstWord() -> Self? {
        guard let space = firstIndex(of: 0x20) else { return nil }
        defer { self = self[(space + 1)...] }
        return self[..<space]
    }
}

extension Int {
    /// Parses decimal digits; nil for anything else, signs included.
    init?(ascii digits: some Collection<UInt8>) {
        guard !digits.isEmpty else { return nil }
        self = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (tens, isTooLarge) = multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = tens.addingReportingOverflow(Int(digit) - 0x30)
            if isTooLarge || isTooLargeNow { return nil }
            self = sum
        }
    }
}

extension UInt32 {
    /// The number as eight lowercase hexadecimal digits.
    var hexadecimal: String { UInt64(self).hexadecimal(count: 8) }

    /// Parses eight hexadecimal digits, as ``hexadecimal`` writes them.
    init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count == 8, let number = UInt64(hexadecimal: digits) else { return nil }
        self.init(number)
    }
}

extension [UInt8] {
    /// Adds the decimal digits of `number`, which is not negative, without making a string of them.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Adds `number` as ``UInt32/hexadecimal`` writes it, without making a string of it.
    mutating func append(hexadecimal number: UInt32) {
        var digits: UInt64 = 0
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> shift) & 0xF
            let text = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            digits = digits << 8 | UInt64(text)
        }
        Swift.withUnsafeBytes(of: digits.bigEndian) { append(contentsOf: $0) }
    }
}
