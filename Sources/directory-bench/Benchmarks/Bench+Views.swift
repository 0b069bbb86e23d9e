import Directory
import Foundation

extension Bench {
    /// A relaxed update at `n` items that were all read by their ids, against an update at items that
    /// nobody has read.
    func observed(_ n: Int) throws -> Measurement {
        try following(n, goal: .ratio(atMost: 1.5)) { tracks in
            for id in 0..<n where tracks[id: id]?.id != id { throw POSIXError(.EIO) }
            return tracks
        }
    }

    /// A relaxed change at `n` items that sorted results follow, against one that nothing follows.
    func results(_ n: Int) throws -> Measurement {
        try following(n, goal: .more(seconds: 50e-6)) { tracks in
            tracks.results(
                where: { $0.id % 10 > 0 }, sortedBy: KeyPathComparator(\Track.seconds))
        }
    }

    /// A relaxed change at `n` items that sections of sorted items follow, against one that nothing
    /// follows.
    func sections(_ n: Int) throws -> Measurement {
        try following(n, goal: .more(seconds: 50e-6)) { tracks in
            tracks.results(
                sortedBy: KeyPathComparator(\Track.seconds), sectionedBy: { $0.id % 100 })
        }
    }

    /// Updates, removals, additions and moves at `n` items, in turn, while the follower that `follow`
    /// returns is held, against the same changes without it.
    private func following(
        _ n: Int, goal: Goal, _ follow: (Directory<Track>) throws -> some Any
    ) throws -> Measurement {
        let (one, other) = (try Scratch(), try Scratch())
        let followed = try one.makeTracks(n, durability: .relaxed)
        let alone = try other.makeTracks(n, durability: .relaxed)
        let follower = try follow(followed)
        let medians = try measure(rounds: rounds * 4) { round in
            try change(followed, round)
        } reference: { round in
            try change(alone, round)
        }
        withExtendedLifetime(follower) {}
        return Measurement(medians: medians, reference: .library, goal: goal)
    }

    private func change(_ tracks: Directory<Track>, _ round: Int) throws {
        let id = round / 4 * 7_919 % tracks.count
        switch round % 4 {
        case 0: try tracks.update(id: tracks.items[id].id) { $0.seconds += 60 }
        case 1: try tracks.remove(id: tracks.items[id].id)
        case 2: try tracks.insert(Track(10_000_000 + round), at: id)
        default: try tracks.move(fromOffsets: [id], toOffset: tracks.count - id)
        }
    }
}
