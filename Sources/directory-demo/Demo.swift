import Directory
import Foundation
import Preferences

/// The entry point: without arguments the tour, with arguments one command.
@main struct Demo {
    static func main() async {
        Output.prepare()
        exit(await status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the tour or a command, and returns the exit status.
    private static func status(of arguments: [String]) async -> Int32 {
        // The command runs nevertheless: a preference that cannot be read has its default.
        defer { Settings.takeErrors().forEach { printError($0.description) } }
        do {
            if arguments.isEmpty {
                try await Tour().run()
            } else {
                try await run(Arguments(arguments))
            }
            // A full disk is an error as well.
            try Output.flush()
            return 0
        } catch {
            let failure = Failure(error)
            // This failure comes first, whether the output can be written or not.
            try? Output.flush()
            printError(failure.message, failure.usage)
            return failure.code.rawValue
        }
    }

    /// Writes a line to standard error, and the usage if there is one.
    private static func printError(_ message: String, _ usage: String? = nil) {
        let lines = ["directory-demo: \(message.printable)", usage]
        Output.writeError(lines.compactMap { $0 }.map { "\($0)\n" }.joined())
    }

    private static func run(_ arguments: Arguments) async throws {
        guard let name = arguments.operands.first else {
            guard arguments.flags.contains(.help) else {
                throw Failure(.usage, "no command was given", usage: Command.usage)
            }
            return print(Command.usage)
        }
        guard let command = Command.all.first(where: { $0.name == name }) else {
            throw Failure(.usage, "there is no command \(name)", usage: Command.usage)
        }
        if arguments.flags.contains(.help) { return print(command.usage) }
        try await command.run(arguments)
    }
}
