import Foundation

/// Standard output, and its abilities.
enum Terminal {
    /// Whether standard output is a terminal that is not `dumb`.
    static let isInteractive = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    /// Whether a person can be asked: standard input is a terminal as well.
    static let canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    /// Whether the output has colour: as the user prefers, unless NO_COLOR forbids it (see
    /// no-color.org).
    static let hasColor = (environment["NO_COLOR"] ?? "").isEmpty && isColorPreferred

    private static var isColorPreferred: Bool {
        switch Settings().colour {
        case .auto: isInteractive
        case .always: true
        case .never: false
        }
    }

    private static let environment = ProcessInfo.processInfo.environment

    /// Asks a question that is answered with yes or no; no is the default.
    static func confirm(_ question: String) -> Bool {
        print("\(question.printable) [y/N] ", terminator: "")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return ["y", "yes"].contains(answer)
    }

    /// Prints `value` as JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        // Foundation puts an empty line into an empty array; no string has a line end in JSON.
        print(text.replacing(/\[\n\s*\]/, with: "[]").printableJSON)
    }
}
