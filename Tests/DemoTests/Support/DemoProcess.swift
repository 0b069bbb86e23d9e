import Foundation
import Testing

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
        ///   - executable: A copy of the demo; by default the one that was built.
        /// - Throws: An error if the demo cannot be found or started.
        init(
            _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil,
            after commands: String = "", input: FileHandle? = nil,
            output terminal: FileHandle? = nil,
            executable: URL? = nil
        ) throws {
            let executable = try #require(executable ?? Self.executable)
            process.executableURL = commands.isEmpty ? executable : URL(filePath: "/bin/sh")
            let shell = ["-c", "\(commands)\nexec \"$0\" \"$@\"", executable.path]
            process.arguments = (commands.isEmpty ? [] : shell) + arguments
            process.environment = ProcessInfo.processInfo.environment
                .filter { !["NO_COLOR", "TERM"].contains($0.key) }
                .merging([Self.preferences: "/dev/null"]) { $1 }
                .merging(environment) { $1 }
            process.currentDirectoryURL = folder
            process.standardInput = input ?? FileHandle.nullDevice
            process.standardOutput = terminal ?? output
            process.standardError = error
            try process.run()
        }

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

        /// The executable of the demo, beside the test bundle: the running program or one of its
        /// arguments.
        static let executable: URL? = {
            let starts =
                [Bundle.main.executableURL] + CommandLine.arguments.map { URL(filePath: $0) }
            let ancestors = starts.compactMap(\.?.absoluteURL).flatMap { start in
                sequence(first: start.deletingLastPathComponent()) { folder in
                    folder.pathComponents.count > 1 ? folder.deletingLastPathComponent() : nil
                }
            }
            return ancestors.map { $0.appending(path: "directory-demo") }.first { candidate in
                let path = candidate.path(percentEncoded: false)
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }()
    }
#endif
