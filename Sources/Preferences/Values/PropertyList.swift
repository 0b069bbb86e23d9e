public import Foundation

/// The stored form of a preference: a value that a property list can hold.
///
/// Each value of this type can be stored. Unlike in `Double`, a NaN equals itself, also as a date.
public enum PropertyList: Sendable {
    /// True or false.
    case bool(Bool)
    /// A whole number from `Int64.min` to `Int64.max`.
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// Text.
    case string(String)
    /// A point in time; files on Linux keep whole seconds.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([PropertyList])
    /// Values by name.
    case dictionary([String: PropertyList])
}

extension PropertyList: Equatable {
    /// Whether both hold the same value, of the same kind.
    public static func == (lhs: PropertyList, rhs: PropertyList) -> Bool {
        switch (lhs, rhs) {
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.unsigned(let lhs), .unsigned(let rhs)): lhs == rhs
        case (.real(let lhs), .real(let rhs)): lhs == rhs || (lhs.isNaN && rhs.isNaN)
        case (.date(let lhs), .date(let rhs)):
            PropertyList.real(lhs.timeIntervalSinceReferenceDate)
                == .real(rhs.timeIntervalSinceReferenceDate)
        case (.string(let lhs), .string(let rhs)): lhs == rhs
        case (.data(let lhs), .data(let rhs)): lhs == rhs
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.dictionary(let lhs), .dictionary(let rhs)): lhs == rhs
        default: false
        }
    }
}

extension PropertyList {
    /// The error that this cannot be read as a value of `type`.
    ///
    /// The text of the error contains only numbers: other values may be private or long, and
    /// printing a date that is NaN traps in Foundation on Linux.
    func mismatch(_ type: Any.Type) -> DecodingError {
        let kind =
            switch self {
            case .bool: "a boolean"
            case .integer(let value): "the integer \(value)"
            case .unsigned(let value): "the integer \(value)"
            case .real(let value): "the number \(value)"
            case .string: "a string"
            case .date: "a date"
            case .data: "data"
            case .array: "an array"
            case .dictionary: "a dictionary"
            }
        let context = DecodingError.Context(
            codingPath: [], debugDescription: "\(kind) cannot be read as \(type)")
        return .typeMismatch(type, context)
    }
}
