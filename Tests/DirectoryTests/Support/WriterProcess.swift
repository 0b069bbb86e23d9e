import Foundation
import Synchronization

#if os(Linux) || os(macOS)
    /// How often the tests kill processes: with `KILLS=full` thousands of times.
    enum Kills {
        static let isFull = ProcessInfo.processInfo.environment["KILLS"] == "full"
    }

    /// A running `directory-writer`.
    final class WriterProcess: Sendable {
        private let process = Process()
        private let output = Pipe()
        private let finished = DispatchSemaphore(value: 0)

        /// The executable in the folder of the test bundle.
        private static var executable: URL {
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
            return products.appending(path: "directory-writer")
        }

        /// Starts the program, and calls `acknowledge` with each number that it prints.
        init(_ arguments: [String], acknowledge: @escaping @Sendable (Int) -> Void) throws {
            process.executableURL = Self.executable
            process.arguments = arguments
            process.standardOutput = output
            try process.run()
            let (reading, finished) = (output.fileHandleForReading, finished)
            Thread.detachNewThread {
                var rest = Data()
                while case let data = reading.availableData, !data.isEmpty {
                    rest += data
                    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        // A part of a line is not a number that was printed.
                        Int(String(decoding: rest[..<newline], as: UTF8.self)).map(acknowledge)
                        rest = Data(rest[(newline + 1)...])
                    }
                }
                finished.signal()
            }
        }

        var isRunning: Bool { process.isRunning }
        var status: Int32 { process.terminationStatus }

        /// Kills the program if `killing`, and waits until it has ended and its output was read.
        func end(killing: Bool) {
            if killing { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            finished.wait()
        }
    }
#endif
