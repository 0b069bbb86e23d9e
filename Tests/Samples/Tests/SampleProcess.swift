import Foundation
import TestSupport

#if os(Linux) || os(macOS)
    struct SampleFailed: Error {
        let status: Int32
    }

    /// Runs the sample program `name` with `arguments`, and returns what it prints.
    func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = builtProgram(name)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SampleFailed(status: process.terminationStatus)
        }
        return String(decoding: data, as: UTF8.self)
    }
#endif
