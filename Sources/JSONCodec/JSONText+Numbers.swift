import Foundation

extension JSONText {
    @inline(__always)
    func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, at position: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> Value {
        guard let number = JSONNumber(elements, at: position) else {
            throw missing(type, at: position, path: path())
        }
        if number.isInteger && number.digits < 19 {
            let magnitude = Int64(truncatingIfNeeded: number.mantissa)
            if let value = Value(exactly: number.isNegative ? -magnitude : magnitude) {
                return value
            }
        } else if let value = Self.integer(type, inText: number.text(elements)) {
            return value
        }
        throw tooLarge(number, type, path())
    }

    /// The integer that is written with a fraction or an exponent, or with many digits.
    ///
    /// As Foundation has it, the nearest `Double` decides up to 2^53, and then a `Decimal`
    /// whose digits fit 64 bits and whose fraction is dropped.
    private static func integer<Value: FixedWidthInteger>(_ type: Value.Type, inText text: String)
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
        guard let number = JSONNumber(elements, at: position) else {
            throw missing(Double.self, at: position, path: path())
        }
        if let value = number.double { return value }
        guard let value = Double(number.text(elements)), value.isFinite,
            value != 0 || number.isZero
        else { throw tooLarge(number, Double.self, path()) }
        return value
    }

    func float(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Float {
        guard let number = JSONNumber(elements, at: position) else {
            throw missing(Float.self, at: position, path: path())
        }
        guard let value = Float(number.text(elements)), value.isFinite,
            value != 0 || number.isZero
        else { throw tooLarge(number, Float.self, path()) }
        return value
    }

    func decimal(at position: Int, path: @autoclosure () -> [any CodingKey]) throws -> Decimal {
        if isNull(at: position) { throw missing(Decimal.self, at: position, path: path()) }
        guard let number = JSONNumber(elements, at: position) else {
            throw DecodingError.typeMismatch(
                Decimal.self, .init(codingPath: path(), debugDescription: "It is no number."))
        }
        guard let value = Decimal(string: number.text(elements)) else {
            throw tooLarge(number, Decimal.self, path())
        }
        return value
    }

    /// The error for a number that its type cannot have; its coding path is empty, as if the
    /// JSON were invalid, so the description tells the path.
    private func tooLarge(_ number: JSONNumber, _ type: Any.Type, _ path: [any CodingKey])
        -> DecodingError
    {
        let place = path.map(\.stringValue).joined(separator: ".")
        return .invalid("\(place): \(number.text(elements)) does not fit \(type).")
    }
}
