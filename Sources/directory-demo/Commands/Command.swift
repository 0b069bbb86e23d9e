import AppFolders

/// One command of the demo: its name, its operands, and what it does.
struct Command: Sendable {
    /// What a command is called with.
    struct Call {
        let store: Store
        let operands: [String]
        let flags: Set<Arguments.Flag>
        /// Whether the store is the default one, whose last project is remembered.
        let isDefaultStore: Bool
    }

    let name: String
    /// The operands as the usage shows them: `NAME [PHOTO]`, `NAME PATH...`.
    let operands: String
    /// The flags that the command has besides `--help`.
    var flags: [Arguments.Flag] = []
    /// Whether the command needs the projects, which are then loaded first.
    var usesStore = true
    let summary: String
    let body: @Sendable (Call) async throws -> Void

    static let all: [Command] = [
        .new, .list, .note, .importFiles, .photos, .rename, .move, .remove, .export, .backup,
        .restore, .tree, .verify, .watch, .config,
    ]
}

extension Command {
    /// Runs the command that is the first operand of `arguments`.
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

    /// The usage of this command.
    var usage: String {
        "usage: directory-demo \(synopsis) [--store DIR]\n\n\(summary)"
    }

    private var synopsis: String {
        let parts = [name, operands] + flags.map { "[\($0.rawValue)]" }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The usage of the demo.
    static var usage: String {
        let width = all.map(\.synopsis.count).max() ?? 0
        let commands = all.map { "  \($0.synopsis.padded(to: width))  \($0.summary)" }
        return """
            usage: directory-demo
                   directory-demo COMMAND [--store DIR]

            Without arguments: a tour of the library on a new temporary store.

            \(commands.joined(separator: "\n"))

            DIR is the folder of the store; the default is "\(Store.defaultPlace.folderName)" in the folder
            of application data. Without NAME, photos shows the project that was used last
            in the default store. PHOTO is an id, or the name that the file had. "--" ends
            the options. NO_COLOR is honoured. The exit status is 0; 1 if the command
            failed; 64 if its arguments are wrong; 130 if it was cancelled.
            """
    }
}

extension Command.Call {
    /// Shows `rows` as JSON if the call asks for it, and otherwise as one line each.
    ///
    /// - Parameters:
    ///   - rows: What to show.
    ///   - name: The first column of a line, padded to the same width in all lines.
    ///   - emptyText: The line to show if there are no rows.
    ///   - details: The rest of a line.
    /// - Throws: The error of encoding a row.
    func show<Row: Encodable>(
        _ rows: [Row], name: (Row) -> String, emptyText: String, details: (Row) -> String
    ) throws {
        if flags.contains(.json) { return try Terminal.printJSON(rows) }
        let width = rows.map { name($0).count }.max() ?? 0
        for row in rows {
            print("\(name(row).padded(to: width).styled(.bold))  \(details(row))")
        }
        if rows.isEmpty { print(emptyText) }
    }
}
