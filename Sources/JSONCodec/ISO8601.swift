/// Dates as text: the profile of ISO 8601 in RFC 3339, in the Gregorian calendar for all years.
enum ISO8601 {
    private static let secondsPerDay: Int64 = 86_400
    /// The days from 0000-03-01, the origin of the arithmetic of days, to 2001-01-01.
    private static let daysTo2001: Int64 = 730_791
    private static let daysPerEra: Int64 = 146_097
    /// The years 0 to 9999, in seconds since 2001.
    private static let range: ClosedRange<Int64> = -63_145_526_400...252_423_993_599
}

extension ISO8601 {
    /// The text of a date in UTC, with enough digits to be read as the same date.
    ///
    /// A fraction has at least three digits; whole seconds have none.
    ///
    /// - Returns: The text; nil if the year has more than four digits, or if the date is less than
    ///   0.1 ms from 2001 and would need too many digits.
    static func text(_ seconds: Double) -> String? {
        // The shortest decimal number that is read as the same `Double`.
        let number = seconds.description.split(separator: ".")
        guard number.count == 2, var whole = Int64(number[0]),
            number[1].utf8.allSatisfy(\.isDigit)
        else { return nil }
        var fraction = Array(number[1].utf8)
        if fraction == [UInt8(ascii: "0")] { fraction = [] }
        if seconds < 0, !fraction.isEmpty {
            whole -= 1
            complement(&fraction)
        }
        guard range.contains(whole) else { return nil }
        if !fraction.isEmpty {
            fraction += Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - fraction.count))
            fraction.insert(UInt8(ascii: "."), at: 0)
        }
        let (days, time) = whole.dividedDown(by: secondsPerDay)
        let (year, month, day) = date(days)
        return "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))"
            + "T\((time / 3600).padded(2)):\((time / 60 % 60).padded(2)):\((time % 60).padded(2))"
            + String(decoding: fraction, as: UTF8.self) + "Z"
    }

    /// Subtracts the fraction from one; its last digit must not be 0.
    private static func complement(_ fraction: inout [UInt8]) {
        let nine = UInt8(ascii: "0") + UInt8(ascii: "9")
        for index in fraction.indices {
            fraction[index] = nine - fraction[index] + (index == fraction.count - 1 ? 1 : 0)
        }
    }

    /// The year, month and day.
    ///
    /// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2021).
    private static func date(_ daysSince2001: Int64) -> (Int64, Int64, Int64) {
        let (era, day) = (daysSince2001 + daysTo2001).dividedDown(by: daysPerEra)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        return (
            era * 400 + year + (month >= 10 ? 1 : 0), month + (month < 10 ? 3 : -9), dayOfMonth
        )
    }
}

extension ISO8601 {
    /// The date in `text`, in seconds since 2001; nil if it is not a date of RFC 3339.
    ///
    /// An offset without the colon, such as `+0100`, is accepted too.
    static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var parser = Parser(text)
        guard let year = parser.number(4), parser.take("-"), let month = parser.number(2),
            parser.take("-"), let day = parser.number(2), parser.take("T") || parser.take("t"),
            let hour = parser.number(2), parser.take(":"), let minute = parser.number(2),
            parser.take(":"), let second = parser.number(2), let fraction = parser.fraction(),
            let offset = parser.offset(), parser.isAtEnd,
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let time = hour * 3600 + minute * 60 + second - offset
        let whole = days(to: year, month, day) * secondsPerDay + time
        guard fraction.contains(where: { $0 != UInt8(ascii: "0") }) else { return Double(whole) }
        var digits = fraction
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if whole < 0 { complement(&digits) }
        let sign = whole < 0 ? "-" : ""
        let magnitude = whole < 0 ? -(whole + 1) : whole
        return Double("\(sign)\(magnitude).\(String(decoding: digits, as: UTF8.self))")
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The number of days from 2001-01-01 to this day.
    private static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysTo2001
    }

    private struct Parser {
        private let text: UnsafeBufferPointer<UInt8>
        private var position = 0

        init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

        var isAtEnd: Bool { position == text.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: character) else {
                return false
            }
            position += 1
            return true
        }

        mutating func number(_ count: Int) -> Int64? {
            guard position + count <= text.count else { return nil }
            let digits = text[position..<(position + count)]
            guard digits.allSatisfy(\.isDigit) else { return nil }
            position += count
            return digits.reduce(0) { $0 * 10 + Int64($1 &- 0x30) }
        }

        /// The digits of the fraction, empty if there is no fraction; nil if no digit follows the point.
        mutating func fraction() -> [UInt8]? {
            guard take(".") else { return [] }
            let digits = Array(text[position...].prefix { $0.isDigit })
            position += digits.count
            return digits.isEmpty ? nil : digits
        }

        /// The offset from UTC in seconds.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isNegative = take("-")
            guard isNegative || take("+"), let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
        }
    }
}

extension Int64 {
    /// The quotient, rounded down, and the remainder, which is not negative.
    fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The decimal digits, with zeros before them so that there are at least `count`.
    fileprivate func padded(_ count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}
