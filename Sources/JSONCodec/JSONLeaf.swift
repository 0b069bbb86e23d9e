import Foundation

/// The types whose values are one token, which is read and written without their own methods.
enum JSONLeafType {
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

/// A value of one of these types, to be encoded.
enum JSONLeaf {
    case uuid(UUID)
    case integer(Int)
    case number(Double)
    case text(String)
    case digits(String)

    /// Nil for values of all other types.
    @inline(__always)
    init?<Value>(_ value: Value) {
        switch JSONLeafType(Value.self) {
        case .string: self = .text(Self.cast(value))
        case .int: self = .integer(Self.cast(value))
        case .double: self = .number(Self.cast(value))
        case .uuid: self = .uuid(Self.cast(value))
        case .date: self = .number(Self.cast(value, to: Date.self).timeIntervalSinceReferenceDate)
        case .url: self = .text(Self.cast(value, to: URL.self).absoluteString)
        case .data: self = .text(Self.cast(value, to: Data.self).base64EncodedString())
        case .decimal: self = .digits(Self.cast(value, to: Decimal.self).description)
        case nil: return nil
        }
    }

    /// `value`, whose type is `Leaf`, without looking that up again.
    @inline(__always)
    private static func cast<Value, Leaf>(_ value: Value, to type: Leaf.Type = Leaf.self) -> Leaf {
        unsafeBitCast(value, to: type)
    }

    func write(to buffer: JSONText) {
        switch self {
        case .uuid(let uuid): buffer.append(uuid)
        case .integer(let integer): buffer.append(integer)
        case .number(let number): buffer.append(number)
        case .text(let text): _ = buffer.append(quoted: text)
        case .digits(let digits): buffer.append(ascii: digits)
        }
    }
}

extension JSONValueEncoder {
    /// Checks that `number` is one that JSON has.
    @inline(__always)
    func check(
        _ number: some BinaryFloatingPoint, under key: @autoclosure () -> (any CodingKey)? = nil
    ) throws {
        guard !number.isFinite else { return }
        throw invalid(
            number, "Unable to encode \(type(of: number)).\(number) directly in JSON.",
            under: key())
    }

    /// Checks that JSON has a number for `leaf`, if it is one.
    @inline(__always)
    func check(_ leaf: JSONLeaf, under key: @autoclosure () -> (any CodingKey)? = nil) throws {
        if case .number(let number) = leaf { try check(number, under: key()) }
    }
}

extension JSONText {
    /// Appends a UUID in quotes, as `uuidString` spells it.
    fileprivate func append(_ uuid: UUID) {
        reserve(38)
        var next = base + count
        func write(_ byte: UInt8) {
            next.initialize(to: byte)
            next += 1
        }
        func write(hexadecimal digit: UInt8) {
            write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
        }
        write(UInt8(ascii: "\""))
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    write(UInt8(ascii: "-"))
                }
                write(hexadecimal: bytes[index] >> 4)
                write(hexadecimal: bytes[index] & 15)
            }
        }
        write(UInt8(ascii: "\""))
        advance(38)
    }
}
