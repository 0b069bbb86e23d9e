import Foundation

#if os(Linux) || os(macOS)
    /// A running `tree-writer`.
    final class TreeProcess {
        private let process = Process()
        private let log: URL
        private let output: URL

        /// The executable in the folder of the test bundle.
        private static var executable: URL {
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
            return products.appending(path: "tree-writer")
        }

        init(_ number: Int, seed: UInt64, in folder: URL) throws {
            log = folder.appending(path: "logs/\(number).log")
            output = folder.appending(path: "logs/\(number).error")
            try Data().write(to: log)
            try Data().write(to: output)
            process.executableURL = Self.executable
            process.arguments = [
                folder.appending(path: "tree").path, log.path, folder.appending(path: "stop").path,
                "\(number)", "\(seed)",
            ]
            process.standardError = try FileHandle(forWritingTo: output)
            try process.run()
        }

        var isRunning: Bool { process.isRunning }

        func stop() { kill(process.processIdentifier, SIGSTOP) }
        func resume() { kill(process.processIdentifier, SIGCONT) }

        /// Kills the process, and adds to its log when it was dead.
        func end() throws {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let file = try FileHandle(forWritingTo: log)
            try file.seekToEnd()
            let time = DispatchTime.now().uptimeNanoseconds
            try file.write(contentsOf: Data("\(time) killed\n".utf8))
        }

        /// Why the process, which nobody killed, did not end well; nil if it did.
        var failure: String? {
            process.waitUntilExit()
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            let (reason, status) = (process.terminationReason, process.terminationStatus)
            if reason == .exit, status == 0 { return nil }
            let how = reason == .exit ? "status" : "signal"
            return "\(log.lastPathComponent): \(how) \(status): \(text)"
        }
    }
#endif
