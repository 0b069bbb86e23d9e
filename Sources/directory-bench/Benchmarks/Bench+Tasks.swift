import Directory
import Foundation

extension Bench {
    /// A durable append while `n` tasks append, against an append of one task.
    func appendConcurrent(_ n: Int) async throws -> Measurement {
        let scratch = try Scratch()
        let tracks = try scratch.makeTracks(1_000)
        return Measurement(
            medians: try await throughput(of: n) { id in
                try await tracks.append(Track(1_000 + id))
            },
            reference: .library,
            goal: Goal(text: "≥ 5 × throughput of one task") { $0.ratio <= 0.2 })
    }

    /// A write to a collection and to one of `n` child collections while 64 tasks write, against one of one task.
    func commitTreeConcurrent(_ n: Int) async throws -> Measurement {
        let scratch = try Scratch()
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        try await albums.append(contentsOf: (0..<n).map(Album.init))
        for id in 0..<n { try await albums.child(.albums, of: id).append(Album(id: 0)) }
        let medians = try await throughput(of: 64) { id in
            try await albums.write { draft in
                try draft.update(id: id % n) { $0.count += 1 }
                try draft.write(.albums, of: id % n) { inner in
                    try inner.update(id: 0) { $0.count += 1 }
                }
            }
        }
        for album in albums.items {
            let children = try await albums.child(.albums, of: album.id)
            try await children.load()
            guard children[id: 0]?.count == album.count else { throw POSIXError(.EIO) }
        }
        return Measurement(
            medians: medians, reference: .library,
            goal: .ratio(atMost: n == 1 ? 0.1 : 1))
    }

    /// The seconds of a change while `tasks` tasks make changes, against those of a change of one task.
    ///
    /// `change` is given a number that is another one for each call.
    private func throughput(
        of tasks: Int, _ change: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Pair {
        let each = isQuick ? 4 : 16
        var pairs: [Pair] = []
        for round in 0..<5 {
            let first = round * (tasks + 1) * each
            let one = try await time {
                for id in first..<(first + each) { try await change(id) }
            }
            let many = try await time {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 1...tasks {
                        let start = first + task * each
                        group.addTask {
                            for id in start..<(start + each) { try await change(id) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            pairs.append(Pair(ours: many / Double(each * tasks), reference: one / Double(each)))
        }
        return Pair(mediansOf: pairs)
    }
}
