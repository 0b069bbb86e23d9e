import Foundation

/// Standard output, and what it can show.
enum Terminal {
    /// Whether lines can be redrawn: it is a terminal that is not `dumb`.
    static let isInteractive = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
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

    /// The number of lines and columns now; those of a VT100 if the terminal does not say.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        // The type of the request differs between systems.
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
        else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Prints `value` as JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
