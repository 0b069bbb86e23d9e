import AppFolders

extension Command {
    /// The second line of an error about the arguments.
    static let hint = "See: directory-demo help"

    static let version = "directory-demo 0.1.0, format 1"

    static let help = Command("help", "[COMMAND]", needs: .nothing, "Say what a command does.") {
        call in
        print(try help(for: call.operands.first))
    }

    /// The help of the command called `name`, or of the demo.
    static func help(for name: String?) throws -> String {
        try name.map { try named($0).longHelp } ?? overview
    }

    /// The usage of this command, in one line.
    var usage: String {
        let options = options.map { "[\($0.synopsis)]" }
        return "usage: " + (["directory-demo", synopsis] + options).joined(separator: " ")
    }

    /// The help of this command alone.
    private var longHelp: String {
        let options = Self.table("Options", allOptions.map { ($0.forms, $0.summary) })
        return [usage, summary, details, options].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The help of the demo.
    private static var overview: String {
        let tables = sections.map { section in
            table(section.title, section.commands.map { ($0.synopsis, $0.summary) })
        }
        let options = ([Option.version] + Option.common).map { ($0.forms, $0.summary) }
        let defaultFolder = AppFolder.Library.Application_Support.Directory_Demo.folderName
        return """
            usage: directory-demo [COMMAND] [OPTION...]

            Keeps projects, with photos and notes, as plain files. Without arguments: a tour
            of the library on a new temporary store.

            \((tables + [table("Options of all commands", options)]).joined(separator: "\n\n"))

            "directory-demo help COMMAND" tells more. The default store is the folder
            "\(defaultFolder)" in the folder of application data. "--" ends the options.
            NO_COLOR is honoured. A project that cannot be read is named on standard
            error, and the others are shown. The exit status is 0; 1 if the command failed
            or could not do all; 64 if its arguments are wrong; 130 or 143 if it was
            cancelled by SIGINT or SIGTERM.

            Begin with:

              directory-demo new Holiday
              directory-demo import Holiday ~/Pictures
              directory-demo gallery
            """
    }

    private var synopsis: String { operands.isEmpty ? name : "\(name) \(operands)" }

    /// A title, and lines of two columns.
    private static func table(_ title: String, _ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { "  \($0.padded(to: Swift.max(width, 24)))  \($1)" }
        return ([title] + lines).joined(separator: "\n")
    }
}
