extension Bool: PreferenceValue {
    /// Makes the value from a stored boolean, or from 0 or 1.
    public init(propertyList: PropertyList) throws {
        switch propertyList {
        case .bool(let value): self = value
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw propertyList.mismatch(Self.self)
        }
    }

    /// The value as a stored boolean.
    public var propertyList: PropertyList { .bool(self) }
}

extension PreferenceValue where Self: FixedWidthInteger & Codable {
    /// Makes the value from a stored number, if this type can hold it exactly.
    public init(propertyList: PropertyList) throws {
        let value: Self? =
            switch propertyList {
            case .integer(let number): Self(exactly: number)
            case .unsigned(let number): Self(exactly: number)
            case .real(let number): Self(exactly: number)
            default: nil
            }
        guard let value else { throw propertyList.mismatch(Self.self) }
        self = value
    }

    /// The value as a stored whole number.
    ///
    /// - Throws: `EncodingError` if the value has more than 64 bits.
    public var propertyList: PropertyList {
        get throws {
            if let value = Int64(exactly: self) { return .integer(value) }
            if let value = UInt64(exactly: self) { return .unsigned(value) }
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "more than 64 bits"))
        }
    }
}

extension Int: PreferenceValue {}
extension Int8: PreferenceValue {}
extension Int16: PreferenceValue {}
extension Int32: PreferenceValue {}
extension Int64: PreferenceValue {}
extension UInt: PreferenceValue {}
extension UInt8: PreferenceValue {}
extension UInt16: PreferenceValue {}
extension UInt32: PreferenceValue {}
extension UInt64: PreferenceValue {}

extension PreferenceValue where Self: BinaryFloatingPoint & Codable {
    /// Makes the value from a stored number, rounded to the nearest value of this type.
    public init(propertyList: PropertyList) throws {
        let value: Self? =
            switch propertyList {
            case .integer(let number): Self(number)
            case .unsigned(let number): Self(number)
            case .real(let number):
                Self(number).isInfinite && number.isFinite ? nil : Self(number)
            default: nil
            }
        guard let value else { throw propertyList.mismatch(Self.self) }
        self = value
    }

    /// The value as a stored real number.
    public var propertyList: PropertyList { .real(Double(self)) }
}

extension Float: PreferenceValue {}
extension Double: PreferenceValue {}
