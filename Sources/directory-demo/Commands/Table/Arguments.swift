/// The arguments of the process, parsed into options and operands.
struct Arguments {
    /// The command and its operands.
    private(set) var operands: [String] = []
    /// The options with their values; those without a value have an empty one.
    private(set) var options: [Option: String] = [:]

    /// Parses `arguments`; options can be anywhere, and `--` ends them.
    ///
    /// - Throws: ``Failure`` with `usage` if an option is unknown or lacks its value.
    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
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
        let name = String(argument.prefix { $0 != "=" })
        guard let option = Option.all.first(where: { [$0.name, $0.short].contains(name) }) else {
            throw Failure(
                .usage, "there is no option \(argument)",
                hint: "If it is a name or a file, use -- before it.")
        }
        let attached = name == argument ? nil : String(argument.dropFirst(name.count + 1))
        switch (option.value, attached) {
        case (nil, nil): options[option] = ""
        case (nil, _): throw Failure(.usage, "\(option.name) has no value", hint: Command.hint)
        default:
            guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                throw Failure(.usage, "a value is missing: \(option.synopsis)", hint: Command.hint)
            }
            options[option] = value
        }
    }
}
