/// A number in valid JSON, split into its digits and a power of ten.
struct JSONNumber {
    private(set) var isNegative = false
    /// The digits as one integer; wrong if there are more than 19.
    private(set) var mantissa: UInt64 = 0
    /// The number of digits without leading zeros.
    private(set) var digits = 0
    private(set) var exponent = 0
    /// Whether the number has neither a fraction nor an exponent.
    private(set) var isInteger = true
    private var range: Range<Int>

    /// Parses the number that begins at `start`; nil if the value there is not a number.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        range = start..<start
        var position = start
        if bytes[position] == UInt8(ascii: "-") {
            isNegative = true
            position += 1
        }
        guard bytes[position].isDigit else { return nil }
        parseDigits(bytes, &position)
        if bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            let fraction = position
            parseDigits(bytes, &position)
            exponent = fraction - position
        }
        if bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            parseExponent(bytes, &position)
        }
        range = start..<position
    }

    @inline(__always)
    private mutating func parseDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
        while true {
            let digit = bytes[position] &- 0x30
            guard digit < 10 else { return }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            if digits > 0 || digit > 0 { digits += 1 }
            position += 1
        }
    }

    private mutating func parseExponent(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) {
        position += 1
        let isExponentNegative = bytes[position] == UInt8(ascii: "-")
        if isExponentNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
        var magnitude = 0
        while bytes[position].isDigit {
            // With a larger exponent, every number is zero or infinite anyway.
            magnitude = min(magnitude * 10 + Int(bytes[position] &- 0x30), 1_000_000)
            position += 1
        }
        exponent += isExponentNegative ? -magnitude : magnitude
    }

    var isZero: Bool { digits == 0 }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}

extension JSONNumber {
    /// The nearest `Double`, ties to even; nil if 128 bits are not enough to find it.
    @inline(__always)
    var double: Double? {
        guard digits <= 19, exponent.magnitude < UInt64.powersOfFive.count else {
            return isZero ? (isNegative ? -0.0 : 0) : nil
        }
        let magnitude = isZero ? 0 : Self.nearest(mantissa, timesTenTo: exponent)
        return isNegative ? -magnitude : magnitude
    }

    /// The `Double` nearest to the product.
    ///
    /// Takes at least 62 bits of the exact product, and sets the last of them if any bit after it is
    /// set. So the conversion to the 53 bits of a `Double` rounds as it would round the product.
    private static func nearest(_ mantissa: UInt64, timesTenTo exponent: Int) -> Double {
        let power = UInt64.powersOfFive[Int(exponent.magnitude)]
        guard exponent < 0 else {
            let (high, low) = mantissa.multipliedFullWidth(by: power)
            guard high > 0 else { return Double(low) * scale(exponent) }
            let shift = high.leadingZeroBitCount
            let top = high << shift | low >> (64 - shift)
            let rest: UInt64 = low << shift == 0 ? 0 : 1
            return Double(top | rest) * scale(64 - shift + exponent)
        }
        if mantissa <= 1 << 53 && -exponent < exactPowersOfTen.count {
            return Double(mantissa) / exactPowersOfTen[-exponent]
        }
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = power.leadingZeroBitCount
        let top = mantissa << shift
        let (quotient, remainder) = (power << divisorShift)
            .dividingFullWidth((top >> 1, top << 63))
        let rest: UInt64 = remainder == 0 ? 0 : 1
        return Double(quotient | rest) * scale(divisorShift - shift - 63 + exponent)
    }

    /// A power of two: its product with a normal number is exact.
    private static func scale(_ exponent: Int) -> Double {
        Double(sign: .plus, exponent: exponent, significand: 1)
    }

    private static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}

extension UInt64 {
    /// The powers of five that fit 64 bits: 5^0 to 5^27.
    fileprivate static let powersOfFive: [UInt64] = (0..<27).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 5)
    }
}
