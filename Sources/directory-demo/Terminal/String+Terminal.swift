extension String {
    /// The text in `style`, if the output has colour, without characters that control a terminal.
    func styled(_ style: Style) -> String {
        Terminal.hasColor ? "\u{1B}[\(style.rawValue)m\(printable)\u{1B}[0m" : printable
    }

    /// The text with a question mark for each character that controls a terminal or ends a line.
    var printable: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: Unicode.Scalar("?")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text, filled with spaces after it to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text, filled with spaces before it to `width` characters.
    func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text, cut to at most `width` characters.
    func clipped(to width: Int) -> String {
        count <= width ? self : prefix(width - 1) + "…"
    }
}
