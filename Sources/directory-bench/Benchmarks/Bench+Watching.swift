import Directory
import Dispatch
import Foundation
import Synchronization

extension Bench {
    /// The time from the beginning of a durable append in another process until the item is visible here,
    /// at `n` items, against the time until that append returns.
    func watch(_ n: Int) async throws -> Measurement {
        #if os(Linux) || os(macOS)
            let scratch = try Scratch()
            let tracks = try scratch.makeTracks(n)
            let seen = AsyncStream.makeStream(of: UInt64.self)
            let observing = Task { [changes = tracks.changes] in
                for await _ in changes { seen.continuation.yield(Self.now) }
            }
            let watching = Task { await tracks.watch() }
            defer {
                observing.cancel()
                watching.cancel()
            }
            let writer = try Writer(scratch.url)
            defer { writer.end() }
            var arrivals = seen.stream.makeAsyncIterator()
            var pairs: [Pair] = []
            for _ in 0...rounds {
                let commit = try await writer.append()
                guard let arrival = await arrivals.next() else { throw POSIXError(.EIO) }
                let visible = Double(max(arrival, commit.begin) - commit.begin)
                pairs.append(
                    Pair(
                        ours: visible / 1e9, reference: Double(commit.end - commit.begin) / 1e9))
            }
            return Measurement(
                medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
                goal: Goal(text: "≤ 20 ms") { $0.ours <= 0.02 })
        #else
            throw POSIXError(.ENOTSUP)
        #endif
    }

    /// The work of a child process: for each line on standard input, it appends a track and prints the times
    /// when the append began and ended.
    static func append(to folder: URL) throws {
        let tracks = try Directory<Track>(at: folder, index: "tracks.json")
        try tracks.load()
        while readLine() != nil {
            let begin = now
            try tracks.append(Track(tracks.count))
            try FileHandle.standardOutput.write(contentsOf: Data("\(begin) \(now)\n".utf8))
        }
    }

    /// The nanoseconds of a clock that all processes share: CLOCK_MONOTONIC, on Apple
    /// mach_absolute_time.
    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

#if os(Linux) || os(macOS)
    /// A process that runs ``Bench/append(to:)``.
    private final class Writer: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ folder: URL) throws {
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["--child", "append", folder.path(percentEncoded: false)]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        /// Lets the process append one track, and returns the times when the append began and ended.
        func append() async throws -> (begin: UInt64, end: UInt64) {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            let line = output.fileHandleForReading.availableData
            let times = String(decoding: line, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
            guard times.count == 2 else { throw POSIXError(.EIO) }
            return (times[0], times[1])
        }

        func end() { process.terminate() }
    }
#endif
