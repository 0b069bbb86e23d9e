import Foundation
import Testing

/// The demo, run as a process of its own.
struct DemoProcess {
    /// What a process left when it ended.
    struct Outcome {
        /// The exit status, or the number of the signal that ended it.
        let status: Int32
        let output: String
        let error: String
    }

    let process = Process()
    let output = Pipe()
    let error = Pipe()

    /// Starts the demo in a folder, the current one unless told otherwise, after commands of the
    /// shell that limit what it can do.
    init(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil,
        after commands: String = "", output terminal: FileHandle? = nil
    ) throws {
        let executable = try #require(Self.executable)
        process.executableURL = commands.isEmpty ? executable : URL(filePath: "/bin/sh")
        let shell = ["-c", "\(commands)\nexec \"$0\" \"$@\"", executable.path]
        process.arguments = (commands.isEmpty ? [] : shell) + arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !["NO_COLOR", "TERM"].contains($0.key) }
            .merging([Self.preferences: "/dev/null"]) { $1 }
            .merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardOutput = terminal ?? output
        process.standardError = error
        try process.run()
    }

    /// The variable that says where preferences are kept: not where the user's are.
    #if os(Linux)
        static let preferences = "XDG_CONFIG_HOME"
    #else
        static let preferences = "CFFIXED_USER_HOME"
    #endif

    /// Waits for the end.
    func outcome() throws -> Outcome {
        let output = try output.fileHandleForReading.readToEnd() ?? Data()
        let error = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            error: String(decoding: error, as: UTF8.self))
    }

    /// The executable beside the test bundle, which is the program that runs, or one of its
    /// arguments.
    private static let executable: URL? = {
        let starts = [Bundle.main.executableURL] + CommandLine.arguments.map { URL(filePath: $0) }
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

/// A terminal that a test reads from.
struct PseudoTerminal {
    let master: FileHandle
    let slave: FileHandle

    init() throws {
        var (readingEnd, writingEnd): (Int32, Int32) = (-1, -1)
        let status = openpty(&readingEnd, &writingEnd, nil, nil, nil)
        try #require(status == 0)
        master = FileHandle(fileDescriptor: readingEnd, closeOnDealloc: true)
        slave = FileHandle(fileDescriptor: writingEnd, closeOnDealloc: true)
    }

    /// What `demo`, started on the slave, prints until it ends.
    func output(of demo: DemoProcess) throws -> String {
        try slave.close()
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        // At its end a terminal fails instead of reading nothing (EIO).
        while case let count = read(master.fileDescriptor, &buffer, buffer.count), count > 0 {
            bytes += buffer.prefix(count)
        }
        demo.process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
