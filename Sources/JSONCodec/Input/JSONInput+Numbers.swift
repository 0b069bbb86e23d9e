import Foundation

extension JSONInput {
    @inline(__always)
    func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, at position: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> Value {
        guard let number = JSONNumber(bytes, at: position) else {
            throw wrongValue(type, at: position, path: path())
        }
        if number.isInteger && number.digits < 19 {
            let magnitude = Int64(truncatingIfNeeded: number.mantissa)
            if let value = Value(exactly: number.isNegative ? -magnitude : magnitude) {
                return value
            }
        } else if let value = Self.integer(type, spelled: number.text(bytes)) {
            return value
        }
        throw doesNotFit(number, type, path())
    }

    /// The integer that is spelled with a fraction, an exponent or many digits.
    ///
    /// As in Foundation, numbers below 2^53 are read as the nearest `Double`. Larger numbers are read as a
    /// `Decimal`, whose digits must fit 64 bits and whose fraction is dropped.
    private static func integer<Value: FixedWidthInteger>(_ type: Value.Type, spelled text: String)
        -> Value?
    {
        if let value = Value(text) { return value }
        guard let double = Double(text), let value = Value(exactly: double) else { return nil }
        if double.magnitude < 0x1p53 { return value }
        guard let decimal = Decimal(string: text) else { return nil }
        let parts = decimal.magnitude.description.split(separator: ".")
        guard UInt64(parts.joined()) != nil, let whole = parts.first,
            let magnitude = UInt64(whole).flatMap(Value.init(exactly:))
        else { return nil }
        return decimal.isSignMinus ? 0 - magnitude : magnitude
    }

    @inline(__always)
    func double(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Double {
        guard let number = JSONNumber(bytes, at: position) else {
            throw wrongValue(Double.self, at: position, path: path())
        }
        if let value = number.double { return value }
        guard let value = Double(number.text(bytes)), value.isFinite,
            value != 0 || number.isZero
        else { throw doesNotFit(number, Double.self, path()) }
        return value
    }

    func float(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Float {
        guard let number = JSONNumber(bytes, at: position) else {
            throw wrongValue(Float.self, at: position, path: path())
        }
        guard let value = Float(number.text(bytes)), value.isFinite,
            value != 0 || number.isZero
        else { throw doesNotFit(number, Float.self, path()) }
        return value
    }

    func decimal(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Decimal {
        if isNull(at: position) { throw wrongValue(Decimal.self, at: position, path: path()) }
        guard let number = JSONNumber(bytes, at: position) else {
            throw DecodingError.typeMismatch(
                Decimal.self, .init(codingPath: path(), debugDescription: "It is not a number."))
        }
        guard let value = Decimal(string: number.text(bytes)) else {
            throw doesNotFit(number, Decimal.self, path())
        }
        return value
    }

    /// The error for a number that does not fit `type`.
    ///
    /// As in Foundation, its coding path is empty, so the description contains the path.
    private func doesNotFit(_ number: JSONNumber, _ type: Any.Type, _ path: [any CodingKey])
        -> DecodingError
    {
        let place = path.map(\.stringValue).joined(separator: ".")
        return .invalid("\(place): \(number.text(bytes)) does not fit \(type).")
    }
}
