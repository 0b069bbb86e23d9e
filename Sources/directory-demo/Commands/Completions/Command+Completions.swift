extension Command {
    /// Prints the script for a shell; or, if that script calls it with words, the completions of the last word.
    @Sendable static func completions(_ call: Call) throws {
        let shell = call.operands[0]
        guard let script = completionScripts[shell] else {
            let names = completionScripts.keys.sorted()
            throw Failure(
                .usage,
                "there are no completions for \(shell)"
                    + shell.mostSimilar(in: names).asQuestion,
                hint: "The shells are bash, zsh and fish.")
        }
        guard call.operands.count > 1 else { return print(script) }
        for (word, summary) in CommandLineWords(call.operands.dropFirst()).candidates {
            print([word.printable, summary].filter { !$0.isEmpty }.joined(separator: "\t"))
        }
    }
}
