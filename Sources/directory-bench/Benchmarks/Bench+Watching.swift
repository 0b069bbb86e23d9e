import Directory
import Dispatch
import Foundation
import Synchronization

extension Bench {
    /// The time from the beginning of a durable append in another process until the item is visible here,
    /// at `n` items, against the time until that append returns.
    func watch(_ n: Int) async throws -> Measurement {
        let scratch = try Scratch()
        return try await watch(scratch.makeTracks(n), in: scratch, "append") {}
    }

    /// The same for a change of one of `n` containers; this process changes one after each change of the other.
    func watchContainers(_ n: Int) async throws -> Measurement {
        let scratch = try Scratch()
        let albums = try scratch.makeAlbums(n)
        return try await watch(albums, in: scratch, "change") {
            try albums.update(id: 1) { $0.count += 1 }
        }
    }

    /// A relaxed change of one of `n` containers after a change by another process, against one after that.
    ///
    /// The first reads a record; the names of all other containers stay known.
    func changeAfterOthers(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let albums = try scratch.makeAlbums(n, durability: .relaxed)
        let others = try Directory<OtherAlbum>(
            at: scratch.url, index: "albums.json", options: .init(durability: .relaxed))
        let pairs = try (0...rounds).map { _ in
            try others.update(id: 0) { $0.count += 1 }
            return Pair(
                ours: try time { try albums.update(id: 1) { $0.count += 1 } },
                reference: try time { try albums.update(id: 2) { $0.count += 1 } })
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .ratio(atMost: 1.5))
    }

    private func watch<Item>(
        _ collection: Directory<Item>, in scratch: Scratch, _ kind: String,
        afterEach body: () throws -> Void
    ) async throws -> Measurement {
        #if os(Linux) || os(macOS)
            let seen = AsyncStream.makeStream(of: UInt64.self)
            let observing = Task { [changes = collection.changes] in
                for await change in changes where change.origin == .otherProcess {
                    seen.continuation.yield(Self.now)
                }
            }
            let watching = Task { await collection.watch() }
            defer {
                observing.cancel()
                watching.cancel()
            }
            let writer = try Writer(kind, scratch.url)
            defer { writer.end() }
            var arrivals = seen.stream.makeAsyncIterator()
            var pairs: [Pair] = []
            for _ in 0...rounds {
                let commit = try await writer.commit()
                guard let arrival = await arrivals.next() else { throw POSIXError(.EIO) }
                let visible = Double(max(arrival, commit.begin) - commit.begin)
                pairs.append(
                    Pair(
                        ours: visible / 1e9, reference: Double(commit.end - commit.begin) / 1e9))
                try body()
            }
            return Measurement(
                medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
                goal: Goal(text: "≤ 20 ms") { $0.ours <= 0.02 })
        #else
            throw POSIXError(.ENOTSUP)
        #endif
    }

    /// The work of a child process: for each line on standard input, it appends a track.
    static func append(to folder: URL) throws {
        let tracks = try Directory<Track>(at: folder, index: "tracks.json")
        try tracks.load()
        try forEachLine { try tracks.append(Track(tracks.count)) }
    }

    /// The same; it changes an album.
    static func change(in folder: URL) throws {
        let albums = try Directory<Album>(at: folder, index: "albums.json")
        try albums.load()
        try forEachLine { try albums.update(id: 0) { $0.count += 1 } }
    }

    /// Calls `body` for each line on standard input, and prints the times when it began and ended.
    private static func forEachLine(_ body: () throws -> Void) throws {
        while readLine() != nil {
            let begin = now
            try body()
            try FileHandle.standardOutput.write(contentsOf: Data("\(begin) \(now)\n".utf8))
        }
    }

    /// The nanoseconds of a clock that all processes share: CLOCK_MONOTONIC, on Apple
    /// mach_absolute_time.
    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

#if os(Linux) || os(macOS)
    /// A process that runs ``Bench/append(to:)`` or ``Bench/change(in:)``.
    private final class Writer: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ kind: String, _ folder: URL) throws {
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["--child", kind, folder.path(percentEncoded: false)]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        /// Lets the process commit one change, and returns the times when the commit began and ended.
        func commit() async throws -> (begin: UInt64, end: UInt64) {
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
