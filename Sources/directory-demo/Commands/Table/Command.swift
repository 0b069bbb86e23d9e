/// One command of the demo: its name, its operands, and its action.
struct Command: Sendable {
    /// The state of the store that a command needs.
    enum Need { case store, anyStore, unreadStore, nothing }

    typealias Body = @Sendable (Call) async throws -> Void

    let name: String
    /// The operands as the usage shows them: `NAME [PHOTO]`, `NAME PATH...`.
    let operands: String
    /// The options that the command has besides ``Option/common``.
    let options: [Option]
    /// `store`: a store that exists, whose projects are loaded first; `anyStore`: one that may be
    /// missing; `unreadStore`: one that is not read; `nothing`: no store, so `--store` is an error.
    let need: Need
    /// The purpose of the command, in one line.
    let summary: String
    /// The rest of its help.
    let details: String
    let body: Body

    init(
        _ name: String, _ operands: String, options: [Option] = [], needs need: Need = .store,
        _ summary: String, _ details: String, run body: @escaping Body
    ) {
        (self.name, self.operands, self.options, self.need) = (name, operands, options, need)
        (self.summary, self.details, self.body) = (summary, details, body)
    }
}

extension Command {
    /// The store, the operands and the options of one call of a command.
    struct Call {
        let store: Store
        let operands: [String]
        let options: [Option: String]

        /// Whether the call has this option.
        func has(_ option: Option) -> Bool { options[option] != nil }

        /// Whether the store is the default one, whose last project is remembered.
        var isDefaultStore: Bool { !has(.store) }

        /// The project that the first operand names.
        var project: Project { get throws { try store.project(named: operands[0]) } }

        /// Prints a line about a change that was made, unless the user wants no such lines.
        func say(_ text: String) { if !has(.quiet) { print(text) } }
    }

    /// The options of ``Option/common`` that the command has.
    var commonOptions: [Option] {
        need == .nothing ? Option.common.filter { $0 != .store } : Option.common
    }

    /// The command called `name`.
    ///
    /// - Throws: ``Failure`` with `usage` and the most similar name.
    static func named(_ name: String) throws -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        let similar = name.mostSimilar(in: all.map(\.name))
        throw Failure(.usage, "there is no command \(name)" + similar.asQuestion, hint: hint)
    }

    /// Runs the command that is the first operand of `arguments`.
    func run(_ arguments: Arguments) async throws {
        let values = Array(arguments.operands.dropFirst())
        let words = operands.split(separator: " ")
        let fewest = words.filter { !$0.hasPrefix("[") }.count
        let most = operands.contains("...") ? Int.max : words.count
        guard (fewest...most).contains(values.count) else {
            let problem = values.count < fewest ? "too few" : "too many"
            throw Failure(.usage, "\(name) was given \(problem) operands", hint: usage)
        }
        let allowed = Set(options + commonOptions)
        if let option = arguments.options.keys.first(where: { !allowed.contains($0) }) {
            throw Failure(.usage, "\(name) has no option \(option.name)", hint: usage)
        }
        let store = try Store(at: arguments.options[.store], need)
        try await body(Call(store: store, operands: values, options: arguments.options))
    }
}

extension Command.Call {
    /// Shows `rows` as JSON if the call asks for it, and otherwise as one line each.
    ///
    /// - Parameters:
    ///   - rows: The values to show.
    ///   - name: The first column of a line, padded to the same width in all lines.
    ///   - emptyText: The line to show if there are no rows; nil for none.
    ///   - details: The rest of a line.
    /// - Throws: The error of encoding a row.
    func show<Row: Encodable>(
        _ rows: [Row], name: (Row) -> String, emptyText: String?, details: (Row) -> String
    ) throws {
        if has(.json) { return try Terminal.printJSON(rows) }
        let width = rows.map { name($0).columns }.max() ?? 0
        // A long name leaves room for the rest; the end of longer lines is cut.
        let most = Terminal.isInteractive ? max(8, Terminal.size.columns / 2) : Int.max
        for row in rows {
            let name = name(row).clipped(to: most).padded(to: min(width, most)).styled(.bold)
            Terminal.printLine("\(name)  \(details(row))")
        }
        if rows.isEmpty, let emptyText { Terminal.printLine(emptyText) }
    }
}
