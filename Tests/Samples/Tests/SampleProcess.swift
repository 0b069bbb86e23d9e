import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct SampleFailed: Error {
        let status: Int32
    }

    /// Runs the sample program `name` with `arguments`, and returns what it prints.
    func run(_ name: String, _ arguments: [String]) throws -> String {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        let process = Process()
        let output = Pipe()
        process.executableURL = products.appending(path: name)
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
