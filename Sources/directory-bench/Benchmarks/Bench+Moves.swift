import Directory
import Foundation

extension Bench {
    /// Moving `n` photos from one child collection to another one of the same store, against the same renames and the fewest
    /// syncs that any protocol needs, by bare system calls.
    func transfer(_ n: Int) throws -> Measurement {
        let (scratch, bare) = (try Scratch(), try Scratch())
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        try albums.append(contentsOf: [Album(id: 0), Album(id: 1)])
        let children = try [0, 1].map { try albums.child(.photos, of: $0) }
        let photos = try children[0].insert((0..<n).map { Data("photo \($0)".utf8) })
        var reference = try BareTreeWrite(
            moving: photos.map(\.fileName), record: Array(Data(contentsOf: children[0].url)),
            in: bare)
        let medians = try measure(rounds: isQuick ? 5 : 99) { round in
            let (source, target) = (children[round % 2], children[(round + 1) % 2])
            try source.transfer(photos.map(\.id), to: target)
            guard target.count == n, source.isEmpty else { throw POSIXError(.EIO) }
        } reference: { round in
            try reference.run(from: round % 2, to: (round + 1) % 2)
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.5))
    }

    /// One write to a collection and to a child collection, each with `n` items, against the fewest syncs that any protocol
    /// needs, by bare system calls.
    func commitTree(_ n: Int) throws -> Measurement {
        let (scratch, bare) = (try Scratch(), try Scratch())
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        try albums.append(contentsOf: (0..<n).map(Album.init))
        let children = try albums.child(.albums, of: 0)
        try children.append(contentsOf: (0..<n).map(Album.init))
        var reference = try BareTreeWrite(
            record: [UInt8](repeating: UInt8(ascii: "x"), count: 400), in: bare)
        let medians = try measure(rounds: isQuick ? 5 : 99) { round in
            try albums.write { draft in
                try draft.update(id: 1) { $0.count += 1 }
                try draft.write(.albums, of: 0) { inner in
                    try inner.update(id: 1) { $0.count += 1 }
                }
            }
            guard children[id: 1]?.count == albums[id: 1]?.count else { throw POSIXError(.EIO) }
        } reference: { _ in
            try reference.run(from: 0, to: 1)
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.5))
    }

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
        try waitForDeletion(in: albums)
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .ratio(atMost: 2, seconds: 0.005))
    }

    /// Removing a container with `n` nested folders, against the same rename and the fewest syncs that any protocol needs, by
    /// bare system calls.
    func removeContainerTree(_ n: Int) throws -> Measurement {
        let (scratch, bare) = (try Scratch(), try Scratch())
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        let rounds = isQuick ? 5 : 49
        let ids = 0...rounds
        for id in ids {
            try albums.append(Album(id: id))
            try nest(n, in: albums, id)
        }
        let copy = bare.url.appending(path: "store")
        try FileManager.default.copyItem(at: scratch.url, to: copy)
        let reference = BareRemoval(in: copy, index: try Array(Data(contentsOf: albums.url)))
        let pairs = try ids.map { id in
            let seconds = try secondsToRemove(id, from: albums)
            try waitForDeletion(in: albums)
            let name = Album(id: id).folderName
            return Pair(ours: seconds, reference: try reference.secondsToRemove(name))
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.5))
    }

    /// Makes `n` containers inside the album `id`, a tenth of them with nine others in each.
    private func nest(_ n: Int, in albums: Directory<Album>, _ id: Album.ID) throws {
        let children = try albums.child(.albums, of: id)
        try children.append(contentsOf: (0..<(n / 10)).map(Album.init))
        for child in children.items {
            try children.child(.albums, of: child.id).append(contentsOf: (0..<9).map(Album.init))
        }
    }

    /// The seconds until the removal of an album is on stable storage.
    private func secondsToRemove(_ id: Album.ID, from albums: Directory<Album>) throws -> Double {
        try waitForDeletion(in: albums)
        return try time { try albums.remove(id: id) }
    }

    /// Waits until the bytes of removed albums are deleted, also on the disk, so that this work
    /// does not slow down the next measurement.
    private func waitForDeletion(in albums: Directory<Album>) throws {
        try albums.checkpoint()
        sync()
    }
}
