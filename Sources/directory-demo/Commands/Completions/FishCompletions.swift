extension Command {
    /// The completions for fish.
    static var fishCompletions: String {
        let start = [
            "# fish completions of directory-demo: directory-demo completions fish | source",
            "complete -c directory-demo -f",
        ]
        let common = ([Option.version] + Option.common).map { fishOption($0, of: nil) }
        return (start + common + all.flatMap(\.fishLines)).joined(separator: "\n")
    }

    private var fishLines: [String] {
        let start = "complete -c directory-demo -n __fish_use_subcommand -a \(name)"
        let own = ["\(start) -d \(fishQuoted(summary))"]
        return own + options.map { Self.fishOption($0, of: name) } + fishOperands
    }

    /// The operands, without their positions: fish offers all that a command can have.
    private var fishOperands: [String] {
        let positions = operands.isEmpty ? [] : Array(0...lastPosition)
        var lines: [String] = []
        for position in positions {
            let action: String? =
                switch completion(at: position) {
                case .projects: "-a '(directory-demo list --names 2>/dev/null)'"
                case .files: "-F"
                case .words(let words): "-a \(fishQuoted(words.joined(separator: " ")))"
                case .nothing: nil
                }
            guard let action else { continue }
            let condition = "-n \(fishQuoted("__fish_seen_subcommand_from \(name)"))"
            let line = "complete -c directory-demo \(condition) \(action)"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    private static func fishOption(_ option: Option, of command: String?) -> String {
        let condition =
            command.map { "-n \(fishQuoted("__fish_seen_subcommand_from \($0)")) " } ?? ""
        let short = option.short.map { "-s \($0.dropFirst()) " } ?? ""
        let value = option.value == nil ? "" : "-r -F "
        let name = "-l \(option.name.dropFirst(2)) "
        return "complete -c directory-demo \(condition)\(short)\(name)\(value)"
            + "-d \(fishQuoted(option.summary))"
    }
}

/// A word in single quotes, in which fish expands nothing.
private func fishQuoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
}
