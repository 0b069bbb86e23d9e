import Foundation

extension Date {
    /// The day and the time here, the same in each language: `2026-11-26 01:06:03`.
    var asText: String {
        formatted(
            Date.ISO8601FormatStyle(timeZone: .current)
                .year().month().day().dateSeparator(.dash)
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
                .timeSeparator(.colon))
    }
}
