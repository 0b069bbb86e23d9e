import Foundation

/// Standard output, and its abilities.
enum Terminal {
    /// Whether lines can be redrawn: it is a terminal that is not `dumb`.
    static let isInteractive = isatty(STDOUT_FILENO) == 1 && type != "dumb"
    /// Whether a person can be asked: standard input is a terminal as well.
    static let canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    /// Whether the output has colour: as the user prefers, unless NO_COLOR forbids it (see
    /// no-color.org).
    static let hasColor = (environment["NO_COLOR"] ?? "").isEmpty && isColorPreferred
    /// The value of TERM.
    static var type: String { environment["TERM"] ?? "" }

    private static var isColorPreferred: Bool {
        switch Settings().colour {
        case .auto: isInteractive
        case .always: true
        case .never: false
        }
    }

    private static let environment = ProcessInfo.processInfo.environment

    /// The number of lines and columns now; those of a VT100 if the terminal does not say.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        // The type of the request differs between systems.
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
        else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Prints a line, which is cut to fit if standard output is a terminal.
    static func printLine(_ line: String) {
        print(isInteractive ? line.fitted(to: size.columns) : line)
    }

    /// Asks a question that is answered with yes or no; no is the default.
    static func confirm(_ question: String) -> Bool {
        print("\(question.printable) [y/N] ", terminator: "")
        Output.show()
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return ["y", "yes"].contains(answer)
    }

    /// Prints `value` as JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        // Foundation puts an empty line into an empty array; no string has a line end in JSON.
        print(text.replacing(/\[\n\s*\]/, with: "[]"))
    }
}
