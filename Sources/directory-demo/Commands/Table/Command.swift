/// One command of the demo: its name, its operands, its help, and its action.
struct Command: Sendable {
    /// The state of the store that a command needs.
    enum Need {
        /// A store that exists, whose projects are loaded first.
        case store
        /// A store that may be missing.
        case anyStore
        /// A store that is not read.
        case unreadStore
        /// No store, so that `--store` is an error.
        case nothing
    }

    let name: String
    /// The operands as the usage shows them: `NAME [PHOTO]`, `NAME PATH...`.
    let operands: String
    /// The options that the command has besides ``Option/common``.
    let options: [Option]
    let need: Need
    /// The purpose of the command, in one line.
    let summary: String
    /// The rest of its help.
    let details: String
    let body: @Sendable (Call) async throws -> Void

    init(
        _ name: String, _ operands: String, options: [Option] = [], needs need: Need = .store,
        _ summary: String, _ details: String = "",
        body: @escaping @Sendable (Call) async throws -> Void
    ) {
        (self.name, self.operands, self.options, self.need) = (name, operands, options, need)
        (self.summary, self.details, self.body) = (summary, details, body)
    }
}

extension Command {
    /// The options that the command has.
    var allOptions: [Option] {
        options + Option.common.filter { need != .nothing || $0 != .store }
    }

    /// The command called `name`.
    ///
    /// - Throws: ``Failure`` with `usage`.
    static func named(_ name: String) throws -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        throw Failure(.usage, "there is no command \(name)", hint: hint)
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
        if let option = arguments.options.keys.first(where: { !allOptions.contains($0) }) {
            throw Failure(.usage, "\(name) has no option \(option.name)", hint: usage)
        }
        let store = try Store(at: arguments.options[.store], need)
        try await body(Call(store: store, operands: values, options: arguments.options))
    }
}
