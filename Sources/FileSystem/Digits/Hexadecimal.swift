extension UInt8 {
    /// The value of this byte as a hexadecimal digit in lower case; nil if it is something else.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension UInt64 {
    /// The last `count` hexadecimal digits of the number, in lower case and with zeros at the beginning.
    package func hexadecimal(count: Int = 16) -> String {
        String(unsafeUninitializedCapacity: count) { digits in
            var rest = self
            for position in (0..<count).reversed() {
                let digit = UInt8(truncatingIfNeeded: rest & 15)
                digits[position] =
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                rest >>= 4
            }
            return count
        }
    }

    /// The number with these hexadecimal digits, 1 to 16 in lower case; nil if `digits` are something else.
    package init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard (1...16).contains(digits.count) else { return nil }
        self = 0
        for digit in digits {
            guard let value = digit.hexadecimalValue else { return nil }
            self = self << 4 | UInt64(value)
        }
    }
}
