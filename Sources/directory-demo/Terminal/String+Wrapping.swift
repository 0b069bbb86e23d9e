extension String {
    /// The text with line ends between words, so that each line has at most `width` columns.
    ///
    /// A line that begins with spaces stays a line of its own; if it is too long, its second column begins on
    /// a new line. All other lines are paragraphs.
    func wrapped(to width: Int) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.contains(where: { $0.columns > width }) else { return self }
        return Self.paragraphs(of: lines).flatMap { $0.wrappedLine(to: width) }
            .joined(separator: "\n")
    }

    /// The lines, with those of a paragraph joined.
    private static func paragraphs(of lines: [String]) -> [String] {
        lines.reduce(into: []) { result, line in
            func isText(_ line: String) -> Bool { !line.isEmpty && !line.hasPrefix(" ") }
            if let last = result.last, isText(last), isText(line) {
                result[result.count - 1] = "\(last) \(line)"
            } else {
                result.append(line)
            }
        }
    }

    private func wrappedLine(to width: Int) -> [String] {
        guard columns > width else { return [self] }
        let start = String(prefix { $0 == " " })
        let next = start + (start.isEmpty ? "" : "    ")
        let parts = dropFirst(start.count).split(separator: /\ \ +/)
        return parts.enumerated().flatMap { number, part in
            var lines: [String] = []
            for word in part.split(separator: " ") {
                if let last = lines.last, last.columns + 1 + String(word).columns <= width {
                    lines[lines.count - 1] = "\(last) \(word)"
                } else {
                    lines.append((number == 0 && lines.isEmpty ? start : next) + word)
                }
            }
            return lines
        }
    }
}
