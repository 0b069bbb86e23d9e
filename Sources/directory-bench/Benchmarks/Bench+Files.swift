import Directory
import Foundation

extension Bench {
    /// Importing `n` staged files, against the renames and syncs alone; the time of staging does not count.
    func importFiles(_ n: Int) throws -> Measurement {
        let bytes = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let names = (0..<n).map { "\($0).jpg" }
        let pairs = try (0..<(isQuick ? 1 : 3)).map { _ in
            let scratch = try Scratch()
            let photos = try Directory<Photo>(at: scratch.url, index: "photos.json")
            let stage = try photos.makeStage()
            for name in names { try stage.write(bytes, name: name) }
            let seconds = try time { try photos.insert(stage) }

            let source = try scratch.makeFolder("source")
            let target = try scratch.makeFolder("target")
            for name in names { try bytes.write(to: source.appending(path: name)) }
            let reference = try time {
                for name in names { try SystemCalls.sync(source.appending(path: name)) }
                try SystemCalls.sync(source)
                for name in names {
                    try SystemCalls.move(
                        source.appending(path: name), to: target.appending(path: name))
                }
                try SystemCalls.sync(target)
            }
            return Pair(ours: seconds, reference: reference)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.25))
    }

    /// Copying `n` files of 100 KB into a collection, against the same copies and syncs alone.
    func importCopies(_ n: Int) throws -> Measurement {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let scratch = try Scratch()
        let source = try scratch.makeFolder("source")
        let sources = (0..<n).map { source.appending(path: "\($0).jpg") }
        for url in sources { try bytes.write(to: url) }
        let medians = try measure(rounds: isQuick ? 1 : 5) { round in
            let photos = try Directory<Photo>(
                at: scratch.makeFolder("ours \(round)"), index: "photos.json")
            try photos.insert(copying: sources)
        } reference: { round in
            let target = try scratch.makeFolder("reference \(round)")
            let copies = sources.map { target.appending(path: $0.lastPathComponent) }
            for (url, copy) in zip(sources, copies) { try SystemCalls.copy(url, to: copy) }
            for copy in copies { try SystemCalls.sync(copy) }
            try SystemCalls.sync(target)
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.25))
    }

    /// Opening and loading `n` containers with 10 photos each, against reading and decoding the
    /// same indexes with bare system calls and Foundation.
    func openCold(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        try makeAlbums(n, in: scratch)
        let medians = try measure(rounds: isQuick ? 1 : 5) { _ in
            let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
            try albums.load()
            let children = try albums.items.map { try albums.child(.photos, of: $0.id) }
            for photos in children { try photos.load() }
            guard children.allSatisfy({ $0.count == 10 }) else { throw POSIXError(.EIO) }
        } reference: { _ in
            let index = try SystemCalls.read(scratch.url.appending(path: "albums.json"))
            let albums = try JSONDecoder().decode([Album].self, from: Data(index))
            for album in albums {
                let folder = scratch.url.appending(path: album.folderName)
                let bytes = try SystemCalls.read(folder.appending(path: "photos.json"))
                _ = try JSONDecoder().decode([Photo].self, from: Data(bytes))
            }
        }
        // To open a child and to load it takes about 35 system calls, most of them to notice changes of others; the reference
        // takes 5.
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 2))
    }

    /// Appends to a child of `n` tracks that is opened anew each time, against one that stays open.
    func openChild(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        try albums.append(contentsOf: (0...1).map { Album(id: $0) })
        let tracks = Child<Track>("tracks")
        for id in 0...1 {
            try albums.child(tracks, of: id).append(contentsOf: (0..<n).map(Track.init))
        }
        let kept = try albums.child(tracks, of: 1)
        try kept.load()
        let medians = try measure(rounds: rounds) { round in
            try albums.child(tracks, of: 0).append(Track(n + round))
        } reference: { round in
            try kept.append(Track(n + round))
        }
        return Measurement(medians: medians, reference: .library, goal: .ratio(atMost: 2))
    }

    /// Makes `n` albums of 10 photos, and keeps no collection open.
    private func makeAlbums(_ n: Int, in scratch: Scratch) throws {
        let albums = try Directory<Album>(at: scratch.url, index: "albums.json")
        try albums.append(contentsOf: (0..<n).map(Album.init))
        for id in 0..<n {
            try albums.child(.photos, of: id).insert((0..<10).map { Data([$0]) })
        }
    }
}
