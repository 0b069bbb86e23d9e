extension ByteBuffer {
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

    /// Appends a finite number, without the fraction `.0` if the number is whole.
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
