/// The form in which dates are written; both forms can always be read.
package enum DateFormat: Sendable {
    /// As a number, which is the default of Foundation's `JSONEncoder`.
    case secondsSince2001
    /// As text in UTC, such as "2026-05-17T09:30:00Z", with as many digits as the date has.
    case iso8601
}
