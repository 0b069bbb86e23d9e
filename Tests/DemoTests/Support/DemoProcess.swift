import Foundation
import TestSupport

#if os(Linux) || os(macOS)
    /// The demo, which runs in a process of its own.
    struct DemoProcess {
        /// The status and the output of a process that has ended.
        struct Outcome {
            /// The exit status, or the number of the signal that ended it.
            let status: Int32
            let output: String
            let error: String
        }

        let process = Process()
        let output = Pipe()
        let error = Pipe()

        /// Starts the demo.
        ///
        /// - Parameters:
        ///   - arguments: The arguments of the demo.
        ///   - environment: Variables to add to the environment.
        ///   - folder: The current folder of the demo; by default that of the tests.
        ///   - commands: Shell commands to run first, such as one that limits what the demo can do.
        ///   - input: The standard input of the demo; by default it is empty.
        ///   - terminal: The standard output of the demo; by default a pipe.
        ///   - executable: The demo; by default the one that was built.
        /// - Throws: An error if the demo cannot be started.
        init(
            _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil,
            after commands: String = "", input: FileHandle? = nil,
            output terminal: FileHandle? = nil,
            executable: URL = builtProgram("directory-demo")
        ) throws {
            process.executableURL = commands.isEmpty ? executable : URL(filePath: "/bin/sh")
            let shell = ["-c", "\(commands)\nexec \"$0\" \"$@\"", executable.path]
            process.arguments = (commands.isEmpty ? [] : shell) + arguments
            process.environment = ProcessInfo.processInfo.environment
                .filter { !Self.terminalVariables.contains($0.key) }
                .merging([Self.preferences: "/dev/null"]) { $1 }
                .merging(environment) { $1 }
            process.currentDirectoryURL = folder
            process.standardInput = input ?? FileHandle.nullDevice
            process.standardOutput = terminal ?? output
            process.standardError = error
            try process.run()
        }

        /// The environment variables by which the demo knows the terminal.
        private static let terminalVariables = [
            "NO_COLOR", "TERM", "TERM_PROGRAM", "LC_TERMINAL", "TMUX",
        ]

        /// The environment variable with the folder of the preferences.
        #if os(Linux)
            static let preferences = "XDG_CONFIG_HOME"
        #else
            static let preferences = "CFFIXED_USER_HOME"
        #endif

        /// Waits for the end of the process.
        func outcome() throws -> Outcome {
            let output = try output.fileHandleForReading.readToEnd() ?? Data()
            let error = try error.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
                error: String(decoding: error, as: UTF8.self))
        }
    }
#endif
