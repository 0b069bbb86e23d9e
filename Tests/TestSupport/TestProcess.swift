package import Foundation
import Synchronization

#if os(Linux) || os(macOS)
    /// A program of this package, which is in the folder of the test bundle.
    package func builtProgram(_ name: String) -> URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        return products.appending(path: name)
    }

    /// A running `test-process`.
    package final class TestProcess: Sendable {
        private let process = Process()
        private let lastNumber = Mutex<Int?>(nil)
        private let outputWasRead = DispatchSemaphore(value: 0)

        /// Starts a command of the program.
        ///
        /// - Parameters:
        ///   - command: The name of the command.
        ///   - arguments: Its arguments.
        ///   - input: The standard input of the process; by default that of the tests.
        ///   - error: The standard error of the process; by default that of the tests.
        ///   - report: A function to call with each number that the process prints.
        /// - Throws: An error if the program cannot be started.
        package init(
            _ command: String, _ arguments: [String], input: Pipe? = nil,
            error: FileHandle? = nil, report: @escaping @Sendable (Int) -> Void = { _ in }
        ) throws {
            let output = Pipe()
            process.executableURL = builtProgram("test-process")
            process.arguments = [command] + arguments
            process.standardOutput = output
            if let input { process.standardInput = input }
            if let error { process.standardError = error }
            try process.run()
            let reading = output.fileHandleForReading
            Thread.detachNewThread { [self] in
                read(reading, report)
                outputWasRead.signal()
            }
        }

        private func read(_ output: FileHandle, _ report: (Int) -> Void) {
            var rest = Data()
            while case let data = output.availableData, !data.isEmpty {
                rest += data
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<newline], as: UTF8.self)
                    rest = Data(rest[(newline + 1)...])
                    guard let number = Int(line) else { continue }
                    lastNumber.withLock { $0 = number }
                    report(number)
                }
            }
        }

        /// The last number that the process printed; nil if it has printed none.
        package var last: Int? { lastNumber.withLock { $0 } }

        package var id: Int32 { process.processIdentifier }
        package var isRunning: Bool { process.isRunning }

        /// Waits until the process has ended and its output was read.
        package func wait() {
            process.waitUntilExit()
            outputWasRead.wait()
            outputWasRead.signal()
        }

        /// Kills the process, and waits for its end.
        package func end() {
            kill(id, SIGKILL)
            wait()
        }

        package func stop() { kill(id, SIGSTOP) }
        package func resume() { kill(id, SIGCONT) }

        /// Waits for the end of the process, and tells how it ended; nil if with status 0.
        package var failure: String? {
            wait()
            let (reason, status) = (process.terminationReason, process.terminationStatus)
            if reason == .exit, status == 0 { return nil }
            return "\(reason == .exit ? "status" : "signal") \(status)"
        }
    }
#endif
