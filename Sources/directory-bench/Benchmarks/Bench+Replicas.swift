import Directory
import DirectoryReplicas
import Foundation

/// An item of the benchmarks of replicas, whose id is unique everywhere.
private struct Card: Codable, Identifiable, Sendable {
    var id = UUID()
    var text: String
    var mark: String

    init(_ number: Int) {
        text = "A line of text about something, with the number \(number)"
        mark = "mark \(number)"
    }
}

/// A device with a collection of cards, and its replica.
private struct CardDevice {
    let cards: Directory<Card>
    let replica: Replica

    init(_ name: String, in folder: URL) throws {
        cards = try Directory(at: folder.appending(path: name), index: "cards.json")
        replica = try Replica(of: cards, in: folder.appending(path: "shared"))
    }

    /// Two devices that both have `n` cards.
    static func pair(_ n: Int, in scratch: Scratch) throws -> (CardDevice, CardDevice) {
        let (first, second) = (try Self("a", in: scratch.url), try Self("b", in: scratch.url))
        try first.cards.append(contentsOf: (0..<n).map(Card.init))
        for device in [first, second, first, second] { try device.replica.sync() }
        return (first, second)
    }
}

extension Bench {
    /// A sync of `n` items with nothing to do, against a look at the files that can tell so.
    func replicaIdle(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let (device, _) = try CardDevice.pair(n, in: scratch)
        let medians = try measure(
            rounds: rounds, ours: { _ in try device.replica.sync() },
            reference: { _ in
                for path in ["a", "shared", "shared/replicas"] {
                    let folder = scratch.url.appending(path: path)
                    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                        _ = try FileManager.default.attributesOfItem(
                            atPath: folder.appending(path: name).path)
                    }
                }
            })
        return Measurement(
            medians: medians, reference: .foundation, goal: .seconds(atMost: 5e-3))
    }

    /// Publishing one change of `n` items, against the durable commit of the change.
    func replicaPublish(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let (device, _) = try CardDevice.pair(n, in: scratch)
        let pairs = try (0...(isQuick ? 5 : 49)).map { round in
            let id = device.cards.items[(round * 7919) % n].id
            let commit = try time { try device.cards.update(id: id) { $0.mark = "round \(round)" } }
            return Pair(ours: try time { try device.replica.sync() }, reference: commit)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .seconds(atMost: 20e-3))
    }

    /// Importing changes of `n` of ten times as many items, against one commit that changes as many.
    func replicaImport(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let (first, second) = try CardDevice.pair(10 * n, in: scratch)
        let pairs = try (0...(isQuick ? 2 : 5)).map { round in
            let commit = try time {
                try first.cards.write { draft in
                    for item in draft.items.prefix(n) {
                        try draft.update(id: item.id) { $0.mark = "round \(round)" }
                    }
                }
            }
            try first.replica.sync()
            return Pair(ours: try time { try second.replica.sync() }, reference: commit)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .seconds(atMost: 1))
    }

    /// The local state of a replica with `n` items on disk, against the index.
    func replicaState(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        _ = try CardDevice.pair(n, in: scratch)
        func size(_ name: String) throws -> Double {
            Double(try Data(contentsOf: scratch.url.appending(path: "b/\(name)")).count)
        }
        return Measurement(
            medians: try Pair(ours: size(".cards.replica"), reference: size("cards.json")),
            reference: .library, goal: .ratio(atMost: 1.5))
    }

    /// What a replica adds to the peak memory of a process that has `n` items, against the index.
    ///
    /// The joined state takes 1.32 times the index here: its lines 1.20, and 16 bytes for each item. The order of the
    /// base takes 24 bytes for each item, and reading both takes some more for a moment.
    func replicaMemory(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        _ = try CardDevice.pair(n, in: scratch)
        let index = scratch.url.appending(path: "b/cards.json")
        let medians = Pair(
            ours: try peak(of: "replica", scratch.url) - peak(of: "cards", scratch.url),
            reference: Double(try Data(contentsOf: index).count))
        return Measurement(medians: medians, reference: .library, goal: .ratio(atMost: 1.7))
    }

    /// Loads the cards in `folder`, and syncs them if `syncs`; returns how many there are.
    static func loadCards(in folder: URL, syncs: Bool) throws -> Int {
        let device = try CardDevice("b", in: folder)
        try device.cards.load()
        if syncs { try device.replica.sync() }
        return device.cards.count
    }

    /// The first sync of a device that gets `n` items and a tenth as many files, against copying the same files, with
    /// a sync of each.
    ///
    /// The files take as long as their copies. The copy reads no item; here each is read, merged, decoded, and written
    /// to an index and a local state, which takes about as long again.
    func replicaNewDevice(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        func device(_ name: String) throws -> (albums: Directory<Binder>, replica: Replica) {
            let albums = try Directory<Binder>(
                at: scratch.url.appending(path: name), index: "binders.json")
            let replica = try Replica(
                of: albums, in: scratch.url.appending(path: "shared"),
                children: [Child.photos.replicated(), Child.cards.replicated()])
            return (albums, replica)
        }
        let first = try device("first")
        let binder = Binder()
        try first.albums.append(binder)
        let photos = try first.albums.child(.photos, of: binder.id)
        let stage = try photos.makeStage()
        for number in 0..<(n / 10) {
            try stage.write(Data("file \(number)".utf8), name: "photo.jpg")
        }
        try photos.insert(stage)
        try first.albums.child(.cards, of: binder.id).append(
            contentsOf: (photos.count..<n).map(Card.init))
        try first.replica.sync()
        let folder = try first.albums.folder(of: binder.id)
        let index = try ["photos.json", "cards.json"].flatMap {
            try Array(Data(contentsOf: folder.appending(path: $0)))
        }
        let reference = BareCopy(of: photos.items.map(\.fileName), index: index, in: folder)
        let pairs = try (0...(isQuick ? 1 : 3)).map { round in
            let new = try device("ours \(round)")
            let pair = Pair(
                ours: try time { try new.replica.sync() },
                reference: try time {
                    try reference.run(to: scratch.url.appending(path: "bare \(round)"))
                })
            sync()
            return pair
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 2))
    }
}

/// A container of cards and photos.
private struct Binder: Container {
    var id = UUID()
}

extension Child where Item == Card {
    fileprivate static let cards = Child("cards")
}
