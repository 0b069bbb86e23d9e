import Directory
import Foundation

extension Bench {
    func appendDurable(_ n: Int) throws -> Row {
        let scratch = try Scratch()
        let tracks = try scratch.tracks(n)
        var floor = try FloorFile(scratch.url.appending(path: "floor"))
        defer { floor.close() }
        let pair = try measure(rounds: rounds) { round in
            try tracks.append(Track(n + round))
        } reference: { round in
            try floor.append(try line(n + round))
            try floor.sync()
        }
        return Row("append.durable", n: n, pair, reference: "floor", atMost: 1.3)
    }

    /// One relaxed change at `n`, against the same at 1,000, a snapshot held all the while.
    func relaxed(
        _ name: String, _ n: Int, seconds: Double = .infinity,
        _ change: (Directory<Track>, Int) throws -> Void
    ) throws -> Row {
        let (small, large) = (try Scratch(), try Scratch())
        let few = try small.tracks(1_000, durability: .relaxed)
        let many = try large.tracks(n, durability: .relaxed)
        let snapshots = (few.items, many.items)
        let pair = try measure(rounds: rounds) { round in
            try change(many, round)
        } reference: { round in
            try change(few, round)
        }
        withExtendedLifetime(snapshots) {}
        return Row(name, n: n, pair, reference: "self", atMost: 2, seconds: seconds)
    }

    func appendBatch(_ n: Int) throws -> Row {
        let batch = (0..<n).map(Track.init)
        let pair = try measure(rounds: isQuick ? 1 : 3) { _ in
            let scratch = try Scratch()
            try Directory<Track>(at: scratch.url, index: "tracks.json").append(contentsOf: batch)
        } reference: { _ in
            let scratch = try Scratch()
            let url = scratch.url.appending(path: "tracks.json")
            try JSONEncoder().encode(batch).write(to: url, options: .atomic)
            try Floor.sync(url)
        }
        return Row("append.batch", n: n, pair, reference: "foundation", atMost: 0.2)
    }

    func load(_ n: Int) throws -> Row {
        let scratch = try Scratch()
        try scratch.writeTracks(n)
        let url = scratch.url.appending(path: "tracks.json")
        let pair = try measure(rounds: isQuick ? 1 : 3) { _ in
            let tracks = try Directory<Track>(at: scratch.url, index: "tracks.json")
            try tracks.load()
            guard tracks.count == n else { throw POSIXError(.EIO) }
        } reference: { _ in
            let data = try Data(contentsOf: url)
            guard try JSONDecoder().decode([Track].self, from: data).count == n else {
                throw POSIXError(.EIO)
            }
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Row("load", n: n, pair, reference: "foundation", atMost: cores > 1 ? 0.1 : 0.2)
    }

    func readID(_ n: Int) throws -> Row {
        let scratch = try Scratch()
        let tracks = try scratch.tracks(n)
        let dictionary = Dictionary(uniqueKeysWithValues: tracks.items.map { ($0.id, $0) })
        let reads = 10_000
        let ids = (0..<reads).map { $0 &* 7_919 % n }
        var pair = try measure(rounds: 9) { _ in
            for id in ids where tracks[id: id]?.id != id { throw POSIXError(.EIO) }
        } reference: { _ in
            for id in ids where dictionary[id]?.id != id { throw POSIXError(.EIO) }
        }
        pair.ours /= Double(reads)
        pair.reference /= Double(reads)
        var row = Row("read.id", n: n, pair, reference: "foundation", atMost: .infinity)
        row.goal = "≤ 1 µs"
        row.met = pair.ours <= 1e-6
        return row
    }

    func appendConcurrent(_ n: Int) async throws -> Row {
        let scratch = try Scratch()
        let tracks = try scratch.tracks(1_000)
        let each = isQuick ? 4 : 16
        var times: (one: [Double], many: [Double]) = ([], [])
        var next = 1_000
        for _ in 0..<5 {
            let clock = ContinuousClock()
            let first = next
            let one = try await clock.measure {
                for id in first..<(first + each) { try await tracks.append(Track(id)) }
            }
            let second = first + each
            let many = try await clock.measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<n {
                        let start = second + task * each
                        group.addTask {
                            for id in start..<(start + each) {
                                try await tracks.append(Track(id))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            next = second + n * each
            times.one.append(one / .seconds(1) / Double(each))
            times.many.append(many / .seconds(1) / Double(each * n))
        }
        let pair = Pair(ours: median(times.many), reference: median(times.one))
        var row = Row("append.concurrent", n: n, pair, reference: "self", atMost: 0.2)
        row.goal = "≥ 5 × throughput of one task"
        return row
    }

    private func line(_ id: Int) throws -> [UInt8] {
        Array(try JSONEncoder().encode(Track(id))) + Array(",\n".utf8)
    }
}
