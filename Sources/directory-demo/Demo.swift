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
        defer { Settings.takeErrors().forEach { Output.report($0.description) } }
        do {
            try checkText()
            if arguments.isEmpty {
                try await Tour().run()
            } else {
                try await run(Arguments(arguments))
            }
            // A full disk is an error as well.
            try Output.check()
            return 0
        } catch {
            let failure = Failure(error)
            Output.report(failure.message, failure.hint)
            return failure.code.rawValue
        }
    }

    /// Checks that the arguments and the path of the current folder are UTF-8.
    ///
    /// - Throws: ``Failure`` with `usage` if they are not: Swift replaces such bytes, so a path would be another one.
    private static func checkText() throws {
        for (number, argument) in zip(1..., CommandLine.arguments.dropFirst()) {
            let isText = CommandLine.unsafeArgv[number].map { strcmp($0, argument) == 0 }
            guard isText == true else {
                throw Failure(
                    .usage, "the argument \(argument) is not UTF-8",
                    hint: "If it is a path, rename what has those bytes in its name.")
            }
        }
        guard let path = getcwd(nil, 0) else { return }
        defer { free(path) }
        if String(validatingCString: path) == nil {
            throw Failure(
                .usage, "the path of the current folder is not UTF-8",
                hint: "Change to another folder, and use absolute paths.")
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        if arguments.options[.version] != nil { return print(Command.version) }
        let name = arguments.operands.first
        if arguments.options[.help] != nil { return print(try Command.help(for: name)) }
        guard let name else { throw Failure(.usage, "no command was given", hint: Command.hint) }
        try await Command.named(name).run(arguments)
    }
}
