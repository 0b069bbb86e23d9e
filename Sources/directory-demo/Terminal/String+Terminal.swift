import Foundation

/// A style of text: the parameter of a graphic rendition in ECMA-48.
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case blue = "34"
    case title = "1;36"
}

extension String {
    /// The text in `style`, if the output has colour, without characters that control a terminal.
    func styled(_ style: Style) -> String {
        Terminal.hasColor ? "\u{1B}[\(style.rawValue)m\(printable)\u{1B}[0m" : printable
    }

    /// The text with a question mark for each character that controls a terminal, ends a line or changes the
    /// direction of the text after it.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControlling ? "?" : $0 }))
    }

    /// The JSON text with an escape for each such character in its strings.
    var printableJSON: String {
        unicodeScalars.map { scalar in
            scalar.isControlling && scalar != "\n"
                ? String(format: "\\u%04x", scalar.value) : String(scalar)
        }.joined()
    }

    /// The text, filled with spaces after it to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text, filled with spaces before it to `width` characters.
    func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text as one word of a POSIX shell: as it is, or in single quotes.
    var quotedForShell: String {
        let isPlain = wholeMatch(of: /[A-Za-z0-9\/._+-]+/) != nil
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}

extension Unicode.Scalar {
    fileprivate var isControlling: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
