import Directory

extension Command {
    static let completions = Command(
        "completions", "SHELL [WORD...]", needs: .nothing, "Print completions for a shell.",
        """
        With WORDs, the script asks what can complete the last one. SHELL is bash, zsh or
        fish:

          bash  source <(directory-demo completions bash)
          zsh   source <(directory-demo completions zsh)
          fish  directory-demo completions fish | source
        """
    ) { call in
        let shell = call.operands[0]
        guard let script = completionScripts[shell] else {
            throw Failure(
                .usage, "there are no completions for \(shell)",
                hint: "The shells are bash, zsh and fish.")
        }
        guard call.operands.count > 1 else { return print(script) }
        for (word, summary) in candidates(for: call.operands.dropFirst()) {
            print([word.printable, summary].filter { !$0.isEmpty }.joined(separator: "\t"))
        }
    }

    private typealias Candidate = (word: String, summary: String)

    /// The words that the last one of `words` can become; none if it is a file or any text.
    private static func candidates(for words: ArraySlice<String>) -> [Candidate] {
        let typed = words.last ?? ""
        // If the last option still needs its value, the words before the cursor are not valid arguments.
        guard let before = try? Arguments(words.dropLast()) else { return [] }
        let name = before.operands.first
        let command = all.first { $0.name == name }
        let found: [Candidate] =
            if typed.hasPrefix("-") {
                (command?.allOptions ?? [.version] + Option.common).map { ($0.name, $0.summary) }
            } else if name == nil {
                commands
            } else {
                command.map { operands(of: $0, after: before) } ?? []
            }
        return found.filter { $0.word.hasPrefix(typed) }
    }

    private static var commands: [Candidate] { all.map { ($0.name, $0.summary) } }

    /// The candidates for the next operand of `command`, whose last operand can be repeated.
    private static func operands(of command: Command, after before: Arguments) -> [Candidate] {
        let kinds = command.operands.split(separator: " ").map { $0.filter(\.isLetter) }
        let position = min(before.operands.count - 1, kinds.count - 1)
        switch position < 0 ? "" : kinds[position] {
        case "NAME" where command.name != "new", "OLD", "OTHER":
            // A store that cannot be read has no names to offer.
            let store = try? Store(at: before.options[.store], .anyStore)
            return store?.projects.items.map { ($0.name, "") } ?? []
        case "COMMAND": return commands
        case "SHELL": return completionScripts.keys.sorted().map { ($0, "") }
        case "KEY": return Setting.allCases.map { ($0.rawValue, $0.allowed) }
        default: return []
        }
    }
}
