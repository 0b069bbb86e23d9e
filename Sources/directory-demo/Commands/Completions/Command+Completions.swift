extension Command {
    @Sendable static func completions(_ call: Call) throws {
        let scripts = ["bash": bashCompletions, "zsh": zshCompletions, "fish": fishCompletions]
        let shell = call.operands[0]
        guard let script = scripts[shell] else {
            let similar = shell.mostSimilar(in: scripts.keys.sorted())
            throw Failure(
                .usage, "there are no completions for \(shell)" + similar.asQuestion,
                hint: "The shells are bash, zsh and fish.")
        }
        print(script)
    }

    /// What can follow a command, for completions.
    enum Completion { case projects, files, words([String]), nothing }

    /// What the operand at `position` is, from 0; the last one can be repeated.
    func completion(at position: Int) -> Completion {
        let words = operands.split(separator: " ").map { word in
            String(word.filter(\.isLetter))
        }
        switch words.dropFirst(min(position, max(0, words.count - 1))).first {
        case "NAME" where name != "new": return .projects
        case "OLD", "OTHER": return .projects
        case "PATH", "DIR", "FILE", "BACKUP": return .files
        case "COMMAND": return .words(Self.all.map(\.name))
        case "SHELL": return .words(["bash", "fish", "zsh"])
        case "KEY": return .words(Setting.all.map(\.key))
        default: return .nothing
        }
    }

    /// The position after which all operands are completed alike.
    var lastPosition: Int { max(0, operands.split(separator: " ").count - 1) }

    /// The options that completions offer after the command.
    var completedOptions: [Option] { options + commonOptions }
}
