extension UInt8 {
    @inline(__always)
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// The value of this byte as a hexadecimal digit in ASCII, nil if it is not one.
    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}

extension UInt64 {
    /// Finds the first of eight bytes, from the lowest, that is a quote, a backslash, a control character or
    /// not ASCII: the lowest bit that is set in the result is the high bit of that byte.
    @inline(__always)
    var bytesThatEndPlainText: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (self ^ (ones &* 0x22)) &- ones
        let backslashes = (self ^ (ones &* 0x5C)) &- ones
        let controls = self &- (ones &* 0x20)
        return (quotes | backslashes | controls | self) & (ones &* 0x80)
    }
}
