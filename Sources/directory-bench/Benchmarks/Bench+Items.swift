import Directory
import Foundation

extension Bench {
    /// A durable append at `n`, against pwrite(2) and fdatasync(2) of the same bytes.
    ///
    /// What an append does beside the sync takes 30 µs in a loop of relaxed appends, and 50 to 60 after the processor
    /// has slept through a sync of 80 to 100 µs.
    func appendDurable(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let tracks = try scratch.makeTracks(n)
        var file = try AppendedFile(scratch.url.appending(path: "reference"))
        defer { file.close() }
        let medians = try measure(rounds: rounds) { round in
            try tracks.append(Track(n + round))
        } reference: { round in
            try file.append(try line(n + round))
            try file.sync()
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.7))
    }

    /// The first append after a collection of `n` items was closed, which writes the index once more with the mark of a
    /// journal, against the same read, write and syncs by bare system calls.
    func appendFirst(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        try scratch.makeTracks(n).close()
        let folder = try scratch.makeFolder("reference")
        let url = scratch.url.appending(path: "tracks.json")
        let pairs = try (0...(isQuick ? 1 : 9)).map { round in
            let tracks = try Directory<Track>(at: scratch.url, index: "tracks.json")
            try tracks.load()
            let seconds = try time { try tracks.append(Track(n + round)) }
            try tracks.close()
            let reference = try time {
                try SystemCalls.save(SystemCalls.read(url), as: "tracks.json", in: folder)
            }
            return Pair(ours: seconds, reference: reference)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 2))
    }

    /// A relaxed append, of whose 33 µs the 11 system calls take 13.
    ///
    /// These are a lock, its end, a write, and looks at whether the folder, the index, the journal and the lock file are
    /// those of the last change: SQLite, which asks that of a page in shared memory, takes half of the time.
    func appendRelaxed(_ n: Int) throws -> Measurement {
        try relaxed(n, goal: .ratio(atMost: 2, seconds: 40e-6)) { tracks, round in
            try tracks.append(Track(10_000_000 + round))
        }
    }

    func updateRelaxed(_ n: Int) throws -> Measurement {
        try relaxed(n, goal: .ratio(atMost: 2)) { tracks, round in
            try tracks.update(id: 500 + round) { $0.isFavourite.toggle() }
        }
    }

    func removeRelaxed(_ n: Int) throws -> Measurement {
        try relaxed(n, goal: .ratio(atMost: 2)) { tracks, round in
            try tracks.remove(id: 500 + round)
        }
    }

    /// A relaxed change at `n`, against the same change at 1,000; a snapshot of each is held.
    private func relaxed(
        _ n: Int, goal: Goal, _ change: (Directory<Track>, Int) throws -> Void
    ) throws -> Measurement {
        let (small, large) = (try Scratch(), try Scratch())
        let few = try small.makeTracks(1_000, durability: .relaxed)
        let many = try large.makeTracks(n, durability: .relaxed)
        let snapshots = (few.items, many.items)
        let medians = try measure(rounds: rounds) { round in
            try change(many, round)
        } reference: { round in
            try change(few, round)
        }
        withExtendedLifetime(snapshots) {}
        return Measurement(medians: medians, reference: .library, goal: goal)
    }

    /// One append of `n` items, against encoding and writing them with Foundation, and a sync.
    func appendBatch(_ n: Int) throws -> Measurement {
        let batch = (0..<n).map(Track.init)
        let medians = try measure(rounds: isQuick ? 1 : 3) { _ in
            let scratch = try Scratch()
            try Directory<Track>(at: scratch.url, index: "tracks.json").append(contentsOf: batch)
        } reference: { _ in
            let scratch = try Scratch()
            let url = scratch.url.appending(path: "tracks.json")
            try JSONEncoder().encode(batch).write(to: url, options: .atomic)
            try SystemCalls.sync(url)
        }
        // More than half of the time goes to `encode(to:)` and the bytes of its values, on all cores; the rest to the trees
        // in memory, a file of 33 MB, and its checksum.
        return Measurement(medians: medians, reference: .foundation, goal: .ratio(atMost: 0.5))
    }

    /// Sorting `n` items, by one key and another in turn, against sorting an array with the same
    /// comparator and saving the same bytes.
    func sort(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let tracks = try scratch.makeTracks(n)
        var array = Array(tracks.items)
        let bytes = try SystemCalls.read(tracks.url)
        let folder = try scratch.makeFolder("reference")
        let comparators = [KeyPathComparator(\Track.seconds), KeyPathComparator(\Track.id)]
        let medians = try measure(rounds: isQuick ? 1 : 9) { round in
            try tracks.sort(using: comparators[round % 2])
        } reference: { round in
            array.sort(using: comparators[round % 2])
            try SystemCalls.save(bytes, as: "tracks.json", in: folder)
        }
        guard tracks.items.elementsEqual(array, by: { $0.id == $1.id }) else {
            throw POSIXError(.EIO)
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 2))
    }

    /// Opening and loading `n` items, against reading and decoding them with Foundation.
    func load(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        try scratch.writeTracks(n)
        let url = scratch.url.appending(path: "tracks.json")
        let medians = try measure(rounds: isQuick ? 1 : 3) { _ in
            let tracks = try Directory<Track>(at: scratch.url, index: "tracks.json")
            try tracks.load()
            guard tracks.count == n else { throw POSIXError(.EIO) }
            // Else the next round would find the collection in memory.
            try tracks.close()
        } reference: { _ in
            let data = try Data(contentsOf: url)
            guard try JSONDecoder().decode([Track].self, from: data).count == n else {
                throw POSIXError(.EIO)
            }
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        // On two cores the items' own `init(from:)` takes about 0.19 of the reference: see `loadCodable`.
        return Measurement(
            medians: medians, reference: .foundation, goal: .ratio(atMost: cores > 1 ? 0.25 : 0.5)
        )
    }

    /// Finding one of `n` items by its id, against a `Dictionary`.
    func readID(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let tracks = try scratch.makeTracks(n)
        let dictionary = Dictionary(uniqueKeysWithValues: tracks.items.map { ($0.id, $0) })
        let reads = 10_000
        let ids = (0..<reads).map { $0 &* 7_919 % n }
        var medians = try measure(rounds: 9) { _ in
            for id in ids where tracks[id: id]?.id != id { throw POSIXError(.EIO) }
        } reference: { _ in
            for id in ids where dictionary[id]?.id != id { throw POSIXError(.EIO) }
        }
        medians.ours /= Double(reads)
        medians.reference /= Double(reads)
        return Measurement(
            medians: medians, reference: .foundation,
            // Two trees with paths of four or five nodes each, which are not in the caches of the processor.
            goal: Goal(text: "≤ 1.5 µs") { $0.ours <= 1.5e-6 })
    }

    private func line(_ id: Int) throws -> [UInt8] {
        Array(try JSONEncoder().encode(Track(id))) + Array(",\n".utf8)
    }
}
