import Foundation

extension PropertyList {
    /// Makes the value of a Foundation object, or nil if a property list cannot hold it.
    ///
    /// Foundation on Linux can wrap the elements of a collection in an `Optional`.
    init?(_ object: Any) {
        switch object {
        case let text as String: self = .string(text)
        case let data as Data: self = .data(data)
        case let date as Date: self = .date(date)
        case let number as NSNumber: self.init(number, isBool: Self.isBool(object, number))
        case let objects as [Any]:
            let elements = objects.compactMap(PropertyList.init)
            guard elements.count == objects.count else { return nil }
            self = .array(elements)
        case let objects as [String: Any]:
            let elements = objects.compactMapValues(PropertyList.init)
            guard elements.count == objects.count else { return nil }
            self = .dictionary(elements)
        default: return nil
        }
    }

    private init(_ number: NSNumber, isBool: Bool) {
        let type = UnicodeScalar(UInt8(bitPattern: number.objCType.pointee))
        let integer = number.int64Value
        if isBool {
            self = .bool(number.boolValue)
        } else if type == "d" || type == "f" {
            self = .real(number.doubleValue)
        } else if number.isEqual(to: NSNumber(value: integer)) {
            self = .integer(integer)
        } else {
            self = .unsigned(number.uint64Value)
        }
    }

    private static func isBool(_ object: Any, _ number: NSNumber) -> Bool {
        #if canImport(ObjectiveC)
            CFGetTypeID(object as CFTypeRef) == CFBooleanGetTypeID()
        #else
            // Values of property lists are numbers, of which 0 and 1 can be cast to Bool; those of UserDefaults are not.
            type(of: object) is NSNumber.Type
                ? UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c") : object is Bool
        #endif
    }

    /// The value as a Foundation object.
    var object: Any {
        switch self {
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .real(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let values): values.map(\.object)
        case .dictionary(let values): values.mapValues(\.object)
        }
    }
}
