import Foundation
import Synchronization

#if os(Linux)
    /// A running `directory-watcher`, and what the kernel tells of it.
    final class WatcherProcess: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private let numbers = Mutex<[Int]>([])

        /// Starts the program on the notes in `folder`.
        init(_ folder: URL) throws {
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
            process.executableURL = products.appending(path: "directory-watcher")
            process.arguments = [folder.path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            Thread.detachNewThread { [self] in
                let reading = output.fileHandleForReading
                var rest = Data()
                while case let data = reading.availableData, !data.isEmpty {
                    rest += data
                    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        let number = Int(String(decoding: rest[..<newline], as: UTF8.self))
                        rest = Data(rest[(newline + 1)...])
                        numbers.withLock { $0 += number.map { [$0] } ?? [] }
                    }
                }
            }
        }

        /// The last number that the program printed: how many notes it sees, -1 once it watches no
        /// more; nil if it has printed none.
        var last: Int? { numbers.withLock(\.last) }

        /// Ends the watching, but not the program.
        func stopWatching() throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        }

        /// Ends the program.
        func end() { process.terminate() }

        /// How often the kernel gave a thread of the program a processor or took it away: proc(5).
        var contextSwitches: Int {
            get throws {
                let threads = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
                return threads.reduce(0) { sum, thread in
                    // A thread can end meanwhile.
                    let status = try? String(
                        contentsOfFile: "\(folder)/task/\(thread)/status", encoding: .utf8)
                    let lines = (status ?? "").split(separator: "\n").filter {
                        $0.contains("ctxt_switches")
                    }
                    return lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
                        .reduce(sum, +)
                }
            }
        }

        /// The number of the program's inotify instances.
        var inotifyInstances: Int {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").filter {
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "\(folder)/fd/\($0)")
                    return target?.contains("inotify") == true
                }.count
            }
        }

        private var folder: String { "/proc/\(process.processIdentifier)" }
    }
#endif
