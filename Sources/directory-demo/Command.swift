import AppFolders

/// One thing that the demo does: how it is called, and what it does then.
struct Command: Sendable {
    /// What a command works with.
    struct Call {
        let store: Store
        let operands: [String]
        let flags: Set<Arguments.Flag>
        /// Whether the store is the default one, whose last project is remembered.
        let isDefaultStore: Bool
    }

    let name: String
    /// What it is applied to, as the usage shows it: `NAME [PHOTO]`, `NAME PATH...`.
    let operands: String
    /// The flags it has besides `--help`.
    var flags: [Arguments.Flag] = []
    /// Whether it works with the projects, which are loaded first.
    var usesStore = true
    let summary: String
    let body: @Sendable (Call) async throws -> Void

    static let all: [Command] = [
        .new, .list, .note, .importFiles, .photos, .rename, .move, .remove, .export, .tree, .verify,
        .config,
    ]
}

extension Command {
    /// Does what `arguments`, whose first operand is this command, ask for.
    func run(_ arguments: Arguments) async throws {
        let values = Array(arguments.operands.dropFirst())
        let words = operands.split(separator: " ")
        let fewest = words.filter { !$0.hasPrefix("[") }.count
        let most = operands.hasSuffix("...") ? Int.max : words.count
        guard (fewest...most).contains(values.count) else {
            let problem = values.count < fewest ? "too few" : "too many"
            throw Failure(.usage, "\(name) was given \(problem) operands", usage: usage)
        }
        if let flag = arguments.flags.subtracting(flags).first {
            throw Failure(.usage, "\(name) has no option \(flag.rawValue)", usage: usage)
        }
        let store = try Store(at: arguments.store, loading: usesStore)
        try await body(
            Call(
                store: store, operands: values, flags: arguments.flags,
                isDefaultStore: arguments.store == nil))
    }

    /// How this command is called.
    var usage: String {
        "usage: directory-demo \(synopsis) [--store DIR]\n\n\(summary)"
    }

    private var synopsis: String {
        let parts = [name, operands] + flags.map { "[\($0.rawValue)]" }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// How the demo is called.
    static var usage: String {
        let width = all.map(\.synopsis.count).max() ?? 0
        let commands = all.map { "  \($0.synopsis.padded(to: width))  \($0.summary)" }
        return """
            usage: directory-demo
                   directory-demo COMMAND [--store DIR]

            Without arguments: a tour of the library on a new temporary store.

            \(commands.joined(separator: "\n"))

            The store is DIR, else the folder "\(Store.defaultPlace.folderName)" where applications keep
            their data, whose last project is the NAME that is left out. A PHOTO is the
            name that its file had, or its id. "--" ends the options. NO_COLOR is honoured.
            The status is 0; 1 if the command failed; 64 if it was misspelled.
            """
    }
}
