import Foundation

/// What standard output can show.
enum Terminal {
    /// Whether lines can be redrawn: it is a terminal, and not a dumb one.
    static let isInteractive = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    /// Whether there is colour: what the user prefers, unless NO_COLOR forbids it; see
    /// no-color.org.
    static let hasColor = (environment["NO_COLOR"] ?? "").isEmpty && isColorPreferred

    private static var isColorPreferred: Bool {
        switch Settings().colour {
        case .auto: isInteractive
        case .always: true
        case .never: false
        }
    }

    private static let environment = ProcessInfo.processInfo.environment

    /// Prints `value` as JSON, the same for the same value.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// A graphic rendition of ECMA-48, by its parameter.
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case blue = "34"
    case title = "1;36"
}

extension String {
    /// The text, without anything that would control the terminal, in `style`.
    func styled(_ style: Style) -> String {
        Terminal.hasColor ? "\u{1B}[\(style.rawValue)m\(printable)\u{1B}[0m" : printable
    }

    /// The text on one line, with a question mark for each character that controls a terminal.
    var printable: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: Unicode.Scalar("?")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text with spaces after it up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with spaces before it up to `width` characters.
    func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text, or so much of it as fits into `width` characters.
    func clipped(to width: Int) -> String {
        count <= width ? self : prefix(width - 1) + "…"
    }
}

extension Int {
    /// A number of bytes, such as `12.5 KB`; a KB has 1000.
    var asBytes: String {
        guard self >= 1000 else { return "\(self) B" }
        var (value, unit) = (Double(self) / 1000, "KB")
        for larger in ["MB", "GB", "TB"] where value >= 1000 {
            (value, unit) = (value / 1000, larger)
        }
        return String(format: "%.1f %@", value, unit)
    }

    /// The number with `noun` behind it, in the plural unless it is 1.
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
