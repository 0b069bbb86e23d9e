/// The arguments of the process, parsed into options and operands.
struct Arguments {
    /// An option without a value.
    enum Flag: String, CaseIterable {
        case help = "--help"
        case json = "--json"
        case repair = "--repair"
    }

    /// The command and its operands.
    private(set) var operands: [String] = []
    private(set) var flags: Set<Flag> = []
    /// The folder after `--store`.
    private(set) var store: String?

    /// Parses `arguments`; options can be anywhere, and `--` ends them.
    ///
    /// - Throws: ``Failure`` with `usage` if an option is unknown or lacks its value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            } else if argument == "--store" {
                store = try Self.folder(rest.popFirst())
            } else if argument.hasPrefix("--store=") {
                store = try Self.folder(String(argument.dropFirst("--store=".count)))
            } else if argument == "-h" {
                flags.insert(.help)
            } else if let flag = Flag(rawValue: argument) {
                flags.insert(flag)
            } else if argument.hasPrefix("-") {
                throw Failure(.usage, "there is no option \(argument)", usage: Command.usage)
            } else {
                operands.append(argument)
            }
        }
    }

    private static func folder(_ value: String?) throws -> String {
        guard let value, !value.isEmpty else {
            throw Failure(.usage, "--store needs a folder", usage: Command.usage)
        }
        return value
    }
}
