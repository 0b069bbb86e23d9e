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
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 8) { digits in
            for position in 0..<8 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt32(28 - 4 * position) & 15)
                digits[position] =
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 8
        }
    }

    /// Parses eight hexadecimal digits, as ``hexadecimal`` writes them.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 8 else { return nil }
        let isLowercase = digits.allSatisfy { digit in
            (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit)
        }
        guard isLowercase else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
