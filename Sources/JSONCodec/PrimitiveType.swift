import Foundation

/// The types that are one string or number in JSON, and that the codec decodes and encodes itself,
/// without the methods of the type.
enum PrimitiveType {
    case string, int, double, uuid, date, url, data, decimal

    /// Nil for all other types.
    @inline(__always)
    init?(_ type: Any.Type) {
        if type == String.self {
            self = .string
        } else if type == Int.self {
            self = .int
        } else if type == Double.self {
            self = .double
        } else if type == UUID.self {
            self = .uuid
        } else if type == Date.self {
            self = .date
        } else if type == URL.self {
            self = .url
        } else if type == Data.self {
            self = .data
        } else if type == Decimal.self {
            self = .decimal
        } else {
            return nil
        }
    }
}
