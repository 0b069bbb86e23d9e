import Foundation
import TestSupport

#if os(Linux) || os(macOS)
    /// A process that changes the tree, and its log.
    final class TreeProcess {
        private let process: TestProcess
        private let log: URL
        private let output: URL

        init(_ number: Int, seed: UInt64, in folder: URL) throws {
            log = folder.appending(path: "logs/\(number).log")
            output = folder.appending(path: "logs/\(number).error")
            try Data().write(to: log)
            try Data().write(to: output)
            let (tree, stop) = (folder.appending(path: "tree"), folder.appending(path: "stop"))
            process = try TestProcess(
                "change-tree", [tree.path, log.path, stop.path, "\(number)", "\(seed)"],
                error: FileHandle(forWritingTo: output))
        }

        var isRunning: Bool { process.isRunning }

        func stop() { process.stop() }
        func resume() { process.resume() }

        /// Kills the process, and adds to its log when it was dead.
        func end() throws {
            process.end()
            let file = try FileHandle(forWritingTo: log)
            try file.seekToEnd()
            let time = DispatchTime.now().uptimeNanoseconds
            try file.write(contentsOf: Data("\(time) killed\n".utf8))
        }

        /// Why the process, which nobody killed, did not end well; nil if it did.
        var failure: String? {
            guard let failure = process.failure else { return nil }
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            return "\(log.lastPathComponent): \(failure): \(text)"
        }
    }
#endif
