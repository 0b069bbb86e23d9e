import Directory
import Foundation

extension Bench {
    /// A batch of staged files into one collection; the staging itself does not count.
    func importFiles(_ n: Int) throws -> Row {
        let bytes = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var times: (ours: [Double], floor: [Double]) = ([], [])
        for _ in 0..<(isQuick ? 1 : 3) {
            let scratch = try Scratch()
            let photos = try Directory<Photo>(at: scratch.url, index: "photos.json")
            let stage = try photos.makeStage()
            for number in 0..<n { try stage.write(bytes, name: "\(number).jpg") }
            times.ours.append(try time { try photos.insert(stage) })

            let source = scratch.url.appending(path: "floor-in")
            let target = scratch.url.appending(path: "floor-out")
            for folder in [source, target] {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
            }
            let names = (0..<n).map { "\($0).jpg" }
            for name in names { try bytes.write(to: source.appending(path: name)) }
            times.floor.append(
                try time {
                    for name in names { try Floor.sync(source.appending(path: name)) }
                    try Floor.sync(source)
                    for name in names {
                        try Floor.move(
                            source.appending(path: name), to: target.appending(path: name))
                    }
                    try Floor.sync(target)
                })
        }
        let pair = Pair(ours: median(times.ours), reference: median(times.floor))
        return Row("import", n: n, pair, reference: "floor", atMost: 1.25)
    }

    /// Removing a container with `n` photographs, against one with 10.
    func removeContainer(_ n: Int) throws -> Row {
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
        var times: (many: [Double], few: [Double]) = ([], [])
        for round in 0...rounds {
            // Each begins when what the one before left is gone from the disk.
            try albums.checkpoint()
            sync()
            let many = try time { try albums.remove(id: 2 * round) }
            try albums.checkpoint()
            sync()
            let few = try time { try albums.remove(id: 2 * round + 1) }
            guard round > 0 else { continue }
            times.many.append(many)
            times.few.append(few)
        }
        let pair = Pair(ours: median(times.many), reference: median(times.few))
        return Row(
            "remove.container", n: n, pair, reference: "self", atMost: 2, seconds: 0.005)
    }

    /// Opening and loading `n` containers with 10 photographs each.
    func openCold(_ n: Int) throws -> Row {
        let scratch = try Scratch()
        try autoreleased {
            let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
            try albums.append(contentsOf: (0..<n).map(Album.init))
            for id in 0..<n {
                try albums.child(.photos, of: id).insert((0..<10).map { Data([$0]) })
            }
        }
        let pair = try measure(rounds: isQuick ? 1 : 5) { _ in
            let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
            try albums.load()
            let children = try albums.items.map { try albums.child(.photos, of: $0.id) }
            for photos in children { try photos.load() }
            guard children.allSatisfy({ $0.count == 10 }) else { throw POSIXError(.EIO) }
        } reference: { _ in
            let index = try Floor.read(scratch.url.appending(path: "albums.json"))
            let albums = try JSONDecoder().decode([Album].self, from: Data(index))
            for album in albums {
                let folder = scratch.url.appending(path: album.folderName)
                let bytes = try Floor.read(folder.appending(path: "photos.json"))
                _ = try JSONDecoder().decode([Photo].self, from: Data(bytes))
            }
        }
        return Row("open.cold", n: n, pair, reference: "floor", atMost: 1.5)
    }

    /// Runs `body` and lets go of what it made before it returns.
    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }
}
