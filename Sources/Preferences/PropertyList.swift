public import Foundation

/// What a property list can hold, and so what a preference can be stored as.
///
/// Every value of this type can be stored: what a property list cannot hold cannot be written
/// down here. Reals and dates equal themselves, also if they are not a number.
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
    /// A point in time, which files on Linux keep to the second.
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
    /// The error that this is not a value of the type.
    ///
    /// It does not print the value, which may be private, or long; printing a date that is not a
    /// number traps in Foundation on Linux.
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
            codingPath: [], debugDescription: "\(kind) is no \(type)")
        return .typeMismatch(type, context)
    }
}
