import Directory

/// The words of a command line up to the cursor, the last of which is being typed.
struct CommandLineWords {
    typealias Candidate = (word: String, summary: String)

    /// The candidate that stands for all files: each shell completes their names in its own way.
    static let files: [Candidate] = [(":files", "")]

    private let typed: String
    private let previous: String?
    private var command: Command?
    /// The number of operands between the command and the last word; -1 if the last word is the command.
    private var position = -1
    /// The value of `--store`.
    private var store: String?

    init(_ words: some Sequence<String>) {
        var words = Array(words)
        typed = words.popLast() ?? ""
        previous = words.last
        var rest = words[...]
        while let word = rest.popFirst() {
            if Option.all.contains(where: { $0.name == word && $0.value != nil }) {
                let value = rest.popFirst()
                if word == Option.store.name { store = value }
            } else if !word.hasPrefix("-") {
                if position < 0 { command = Command.all.first { $0.name == word } }
                position += 1
            }
        }
    }

    /// The words that the last word can become.
    var candidates: [Candidate] {
        if Option.all.contains(where: { $0.name == previous && $0.value != nil }) {
            return Self.files
        }
        if typed.hasPrefix("-") {
            let common = command?.commonOptions ?? [.version] + Option.common
            return fitting(((command?.options ?? []) + common).map { ($0.name, $0.summary) })
        }
        if position < 0 { return fitting(Command.all.map { ($0.name, $0.summary) }) }
        return command.map(operands) ?? []
    }

    /// The candidates for the next operand of `command`, whose last operand can be repeated.
    private func operands(of command: Command) -> [Candidate] {
        let words = command.operands.split(separator: " ").map { $0.filter(\.isLetter) }
        switch words.dropFirst(min(position, max(0, words.count - 1))).first {
        case "NAME" where command.name != "new", "OLD", "OTHER":
            // A store that cannot be read has no names to offer.
            let projects = (try? Store(at: store))?.projects.items.map(\.name) ?? []
            return fitting(projects.map { ($0, "") })
        case "PATH", "DIR", "FILE", "BACKUP": return Self.files
        case "COMMAND": return fitting(Command.all.map { ($0.name, $0.summary) })
        case "SHELL": return fitting(Command.completionScripts.keys.sorted().map { ($0, "") })
        case "KEY": return fitting(Setting.all.map { ($0.key, $0.allowed) })
        default: return []
        }
    }

    private func fitting(_ candidates: [Candidate]) -> [Candidate] {
        candidates.filter { $0.word.hasPrefix(typed) }
    }
}
