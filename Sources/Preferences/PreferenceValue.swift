import Foundation

/// A type whose values can be preferences.
///
/// The library conforms `Bool`, the integers up to 64 bits, `Float`, `Double`, `String`, `URL`,
/// `Date`, `Data`, and arrays, sets and dictionaries of these. An own type conforms by saying so
/// if it is `RawRepresentable` by one of them, or `Codable`:
///
///     enum Sort: String, PreferenceValue { case name, date }
///     struct Window: Codable, PreferenceValue { var width, height: Int }
///
/// A `RawRepresentable` is stored as its raw value, a `Codable` as JSON data.
public protocol PreferenceValue: Sendable {
    /// Makes the value from what is stored.
    ///
    /// - Parameter propertyList: What is stored, by anyone: it need not come from this type.
    /// - Throws: Any error, if it is not a value of this type. The preference then has its
    ///   default, and the error is reported.
    init(propertyList: PropertyList) throws

    /// The value as it is stored.
    ///
    /// - Throws: Any error, if the value cannot be stored. The preference then stays as it was,
    ///   and the error is reported.
    var propertyList: PropertyList { get throws }
}

extension PreferenceValue where Self: RawRepresentable, RawValue: PreferenceValue {
    /// Makes the value from its stored raw value.
    public init(propertyList: PropertyList) throws {
        self = try Self.value(of: propertyList)
    }

    /// The stored form of the raw value.
    public var propertyList: PropertyList {
        get throws { try rawValue.propertyList }
    }

    fileprivate static func value(of propertyList: PropertyList) throws -> Self {
        let rawValue = try RawValue(propertyList: propertyList)
        guard let value = Self(rawValue: rawValue) else { throw propertyList.mismatch(Self.self) }
        return value
    }
}

extension PreferenceValue where Self: Codable {
    /// Makes the value from its JSON.
    public init(propertyList: PropertyList) throws {
        guard case .data(let json) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        self = try decoder.decode(Self.self, from: json)
    }

    /// The value as JSON, with sorted keys so that equal values are equal data.
    public var propertyList: PropertyList {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return try .data(encoder.encode(self))
        }
    }
}

extension PreferenceValue where Self: RawRepresentable & Codable, RawValue: PreferenceValue {
    /// Makes the value from its stored raw value, not from JSON.
    public init(propertyList: PropertyList) throws {
        self = try Self.value(of: propertyList)
    }

    /// The stored form of the raw value, not JSON.
    public var propertyList: PropertyList {
        get throws { try rawValue.propertyList }
    }
}
