/// The arguments of the process, parsed into options and operands.
struct Arguments {
    /// The command and its operands.
    private(set) var operands: [String] = []
    /// The options with their values; those without a value have an empty one.
    private(set) var options: [Option: String] = [:]

    /// Parses `arguments`; options can be anywhere, and `--` ends them.
    ///
    /// - Throws: ``Failure`` with `usage` if an option is unknown or lacks its value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            } else if argument.hasPrefix("-"), argument != "-" {
                try parse(argument, &rest)
            } else {
                operands.append(argument)
            }
        }
    }

    /// Parses one option, whose value may be the first of `rest`.
    private mutating func parse(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        let parts = argument.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard let option = Option.all.first(where: { [$0.name, $0.short].contains(parts[0]) })
        else { throw Self.unknown(argument, parts[0]) }
        let attached = parts.dropFirst().first
        guard let value = option.value else {
            guard attached == nil else {
                throw Failure(.usage, "\(option.name) has no value", hint: Command.hint)
            }
            return options[option] = ""
        }
        guard let given = attached ?? rest.popFirst(), !given.isEmpty else {
            let kind = value == "DIR" ? "a folder" : "a file"
            throw Failure(.usage, "\(option.name) needs \(kind)", hint: Command.hint)
        }
        options[option] = given
    }

    private static func unknown(_ argument: String, _ name: String) -> Failure {
        let names = Option.all.flatMap { [$0.name, $0.short].compactMap { $0 } }
        let similar = name.mostSimilar(in: names.filter { $0.hasPrefix("--") })
        return Failure(
            .usage, "there is no option \(argument)" + similar.asQuestion,
            hint: similar == nil ? "If it is a name or a file, use -- before it." : Command.hint)
    }
}
