import Foundation

/// A type whose values can be stored as preferences.
///
/// `Bool`, the integers up to 64 bits, `Float`, `Double`, `String`, `URL`, `Date`, `Data`, and
/// arrays, sets and dictionaries of these conform. A type of your own that is `Codable`, or
/// `RawRepresentable` by one of these types, needs no more than the declaration:
///
///     enum Sort: String, PreferenceValue { case name, date }
///     struct Window: Codable, PreferenceValue { var width, height: Int }
///
/// A `RawRepresentable` type is stored as its raw value, any other `Codable` type as JSON data.
public protocol PreferenceValue: Sendable {
    /// Makes the value from its stored form.
    ///
    /// - Parameter propertyList: The stored form. Other programs and older versions store values
    ///   as well, so this type may not have written it.
    /// - Throws: Any error if it cannot be read as this type. The preference then has its default,
    ///   and the store reports the error as ``PreferenceError/Code/unreadable``.
    init(propertyList: PropertyList) throws

    /// The stored form of the value.
    ///
    /// - Throws: Any error if the value cannot be stored. The preference then stays as it was, and
    ///   the store reports the error as ``PreferenceError/Code/unwritable``.
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

    /// The value as JSON with sorted keys; the elements of a set have any order.
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
