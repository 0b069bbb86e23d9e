import Directory
import Foundation

extension Bench {
    /// Removing a container with `n` photos, against removing one with 10.
    func removeContainer(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        let rounds = isQuick ? 1 : 5
        for id in 0...(2 * rounds + 1) {
            try albums.append(Album(id: id))
            let photos = try albums.child(.photos, of: id)
            let stage = try photos.makeStage()
            for number in 0..<(id.isMultiple(of: 2) ? n : 10) {
                try stage.write(Data([1, 2, 3]), name: "\(number).jpg")
            }
            try photos.insert(stage)
        }
        let pairs = try (0...rounds).map { round in
            let many = try secondsToRemove(2 * round, from: albums)
            let few = try secondsToRemove(2 * round + 1, from: albums)
            return Pair(ours: many, reference: few)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .ratio(atMost: 2, seconds: 0.005))
    }

    /// The seconds until the removal of an album is on stable storage.
    private func secondsToRemove(_ id: Album.ID, from albums: Directory<Album>) throws -> Double {
        try waitForDeletion(in: albums)
        return try time { try albums.remove(id: id) }
    }

    /// Waits until the bytes of removed albums are deleted, also on the disk, so that this work
    /// does not slow down what is timed next.
    private func waitForDeletion(in albums: Directory<Album>) throws {
        try albums.checkpoint()
        sync()
    }
}
