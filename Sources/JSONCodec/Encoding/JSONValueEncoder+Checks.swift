import Foundation

extension JSONValueEncoder {
    /// Checks that JSON can represent `number`, which is to be encoded here or under `key`.
    @inline(__always)
    func check(
        _ number: some BinaryFloatingPoint, under key: @autoclosure () -> (any CodingKey)? = nil
    ) throws {
        guard !number.isFinite else { return }
        throw invalid(
            number, "Unable to encode \(type(of: number)).\(number) directly in JSON.",
            under: key())
    }

    @inline(__always)
    func check(
        _ primitive: JSONPrimitive, under key: @autoclosure () -> (any CodingKey)? = nil
    ) throws {
        switch primitive {
        case .number(let number): try check(number, under: key())
        case .digits(let digits) where digits == "NaN":
            throw invalid(digits, "Unable to encode Decimal.nan directly in JSON.", under: key())
        case .link(let text) where URL(string: text) == nil:
            throw invalid(text, "The text of a URL is not a URL itself.", under: key())
        default: break
        }
    }
}
