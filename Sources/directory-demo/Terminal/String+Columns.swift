extension String {
    /// The number of columns of a terminal that the text takes up when it is printed.
    var columns: Int { printable.reduce(0) { $0 + $1.columns } }

    /// The text, filled with spaces after it to `width` columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text, filled with spaces before it to `width` columns.
    func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - columns)) + self
    }

    /// The text, cut to at most `width` columns.
    func clipped(to width: Int) -> String { printable.fitted(to: width) }

    /// This printed line, cut to at most `width` columns; the sequences of ``styled(_:)`` take up none.
    func fitted(to width: Int) -> String {
        let style = /\e\[[0-9;]*m/
        guard replacing(style, with: "").columns > width else { return self }
        var (text, room, rest, end) = ("", width - 1, self[...], "…")
        while let next = rest.first {
            if let found = rest.prefixMatch(of: style) {
                text += found.output
                rest = rest[found.range.upperBound...]
                end = "…\u{1B}[0m"
            } else {
                room -= next.columns
                guard room >= 0 else { break }
                text.append(rest.removeFirst())
            }
        }
        return text + end
    }
}

extension Character {
    /// The number of columns of a terminal that the character takes up: 0, 1 or 2.
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: \.isWide) { return 2 }
        return first.isInvisible ? 0 : 1
    }
}

extension Unicode.Scalar {
    /// Whether terminals give the scalar two columns: East Asian Width W or F (UAX #11), emoji, and the
    /// scalar that asks for the form of an emoji.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        // VARIATION SELECTOR-16
        case 0xFE0F: true
        default: properties.isEmojiPresentation
        }
    }

    /// Whether terminals give the scalar no column when it is alone.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
