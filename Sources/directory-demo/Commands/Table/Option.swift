/// An option of the command line.
struct Option: Hashable, Sendable {
    /// The option as it is typed, such as `--json`.
    let name: String
    /// Its form of one letter, such as `-q`.
    var short: String?
    /// The placeholder of its value in the usage; nil if it has no value.
    var value: String?
    let summary: String
}

extension Option {
    static let absolute = Option(name: "--absolute", summary: "Print absolute paths.")
    static let dryRun = Option(name: "--dry-run", summary: "Only say what would be done.")
    static let force = Option(name: "--force", summary: "Remove or replace without asking.")
    static let json = Option(name: "--json", summary: "Print JSON.")
    static let names = Option(name: "--names", summary: "Print the names alone, one a line.")
    static let output = Option(
        name: "--output", value: "FILE", summary: "Write to FILE; - is standard output.")
    static let repair = Option(name: "--repair", summary: "Repair what is found.")
    static let skip = Option(name: "--skip", summary: "Forget the newest change, and keep it.")
    static let skipUnsupported = Option(
        name: "--skip-unsupported", summary: "Leave out links, and files that are no pictures.")
    static let theirs = Option(name: "--theirs", summary: "Take projects that differ from there.")
    static let watch = Option(name: "--watch", summary: "Go on until Ctrl-C.")
    static let version = Option(name: "--version", summary: "Print the version of the demo.")

    static let store = Option(name: "--store", value: "DIR", summary: "Use the store in DIR.")
    static let quiet = Option(
        name: "--quiet", short: "-q", summary: "Print no progress, and not what was done.")
    static let help = Option(name: "--help", short: "-h", summary: "Print this help.")

    /// The options that every command has.
    static let common = [store, quiet, help]

    /// All options; one that several commands have is there for each of them.
    static let all = Command.all.flatMap(\.options) + [version] + common
}

extension Option {
    /// The option with its value, as the usage shows it: `--output FILE`.
    var synopsis: String { [name, value].compactMap { $0 }.joined(separator: " ") }

    /// All its forms, as help shows them: `-q, --quiet`.
    var forms: String { [short, synopsis].compactMap { $0 }.joined(separator: ", ") }
}
