import Foundation

/// A value of a ``PrimitiveType`` that is to be encoded.
enum JSONPrimitive {
    case uuid(UUID)
    case integer(Int)
    case number(Double)
    case text(String)
    case link(String)
    case digits(String)

    /// Nil for a value of any other type.
    @inline(__always)
    init?<Value>(_ value: Value, _ dates: DateFormat) {
        switch PrimitiveType(Value.self) {
        case .string: self = .text(Self.cast(value))
        case .int: self = .integer(Self.cast(value))
        case .double: self = .number(Self.cast(value))
        case .uuid: self = .uuid(Self.cast(value))
        case .date: self = .date(Self.cast(value, to: Date.self), dates)
        case .url: self = .link(Self.cast(value, to: URL.self).absoluteString)
        case .data: self = .text(Self.cast(value, to: Data.self).base64EncodedString())
        case .decimal: self = .digits(Self.cast(value, to: Decimal.self).description)
        case nil: return nil
        }
    }

    /// A date that cannot be text is a number.
    private static func date(_ date: Date, _ dates: DateFormat) -> Self {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = dates == .iso8601 ? ISO8601.text(seconds) : nil
        return text.map { .text($0) } ?? .number(seconds)
    }

    /// Casts `value` to its own type `Primitive`, without a check at run time.
    @inline(__always)
    private static func cast<Value, Primitive>(
        _ value: Value, to type: Primitive.Type = Primitive.self
    ) -> Primitive {
        unsafeBitCast(value, to: type)
    }

    func write(to buffer: ByteBuffer) {
        switch self {
        case .uuid(let uuid): buffer.append(uuid)
        case .integer(let integer): buffer.append(integer)
        case .number(let number): buffer.append(number)
        case .text(let text), .link(let text): _ = buffer.append(quoted: text)
        case .digits(let digits): buffer.append(ascii: digits)
        }
    }
}
