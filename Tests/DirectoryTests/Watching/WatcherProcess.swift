import Foundation
import TestSupport

#if os(Linux)
    /// A running `test-process watch-notes`, and what the kernel tells of it.
    final class WatcherProcess: Sendable {
        private let process: TestProcess
        private let input = Pipe()

        /// Starts to watch the notes in `folder`.
        init(_ folder: URL) throws {
            process = try TestProcess("watch-notes", [folder.path], input: input)
        }

        /// The last number that the process printed: how many notes it sees, -1 once it watches no
        /// more; nil if it has printed none.
        var last: Int? { process.last }

        /// Ends the watching, but not the process.
        func stopWatching() throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        }

        func end() { process.end() }

        /// How often the kernel gave a thread of the process a processor or took it away: proc(5).
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

        /// The number of the process's inotify instances.
        var inotifyInstances: Int {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").filter {
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "\(folder)/fd/\($0)")
                    return target?.contains("inotify") == true
                }.count
            }
        }

        private var folder: String { "/proc/\(process.id)" }
    }
#endif
