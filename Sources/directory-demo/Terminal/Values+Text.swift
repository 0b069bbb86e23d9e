import Foundation

extension Int {
    /// The number of bytes as text, such as `12.5 KB`; a KB has 1000 bytes.
    var asBytes: String {
        guard self >= 1000 else { return "\(self) B" }
        var (value, unit) = (Double(self) / 1000, "KB")
        for larger in ["MB", "GB", "TB"] where value >= 1000 {
            (value, unit) = (value / 1000, larger)
        }
        return String(format: "%.1f %@", value, unit)
    }

    /// The number and `noun`, in the plural unless the number is 1.
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Date {
    /// The day and the time here, the same in each language: `2026-11-26 01:06:03`.
    var asText: String { formatted(Self.local.time(includingFractionalSeconds: false)) }
    /// The day here: `2026-11-26`.
    var dayAsText: String { formatted(Self.local) }

    private static var local: ISO8601FormatStyle {
        ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current).year().month().day()
    }
}
