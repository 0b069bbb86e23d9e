import Directory
import Foundation

extension Bench {
    /// Copying an unchanged collection of `n` photos of 16 KiB again, against the first copy.
    func copyAgain(_ n: Int) throws -> Measurement {
        let (scratch, store) = (try Scratch(), try Scratch())
        let photos = try photos(n, of: 16_384, in: store)
        // A file that is as new as the unit of time of volumes is copied again, so wait for longer.
        Thread.sleep(forTimeInterval: 2.5)
        let rounds = isQuick ? 2 : 5
        let pairs = try (0...rounds).map { round in
            let copy = scratch.url.appending(path: "\(round)")
            let first = try time { try photos.copy(to: copy) }
            sync()
            return Pair(ours: try time { try photos.copy(to: copy) }, reference: first)
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .library,
            goal: .ratio(atMost: 0.3))
    }

    /// Restoring `n` photos from a copy to a new collection, against the same copies and syncs by bare system calls.
    func restore(_ n: Int) throws -> Measurement {
        let (scratch, store) = (try Scratch(), try Scratch())
        let photos = try photos(n, of: 5, in: store)
        let reference = BareCopy(
            of: photos.items.map(\.fileName), index: try Array(Data(contentsOf: photos.url)),
            in: store.url)
        let copy = scratch.url.appending(path: "copy")
        try photos.copy(to: copy)
        let rounds = isQuick ? 2 : 5
        let pairs = try (0...rounds).map { round in
            let bare = scratch.url.appending(path: "bare \(round)")
            let new = try Directory<Photo>(
                at: scratch.url.appending(path: "ours \(round)"), index: "photos.json")
            let pair = Pair(
                ours: try time { try new.restore(from: copy) },
                reference: try time { try reference.run(to: bare) })
            sync()
            return pair
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.5))
    }

    /// Writing an archive of `n` photos of 64 KiB, against reading the same files, writing their bytes to one file and
    /// syncing it, as `cat` and `sync` do.
    ///
    /// Beside that an archive has the CRC-32 of every byte, which takes 0.2 s for 640 MB.
    func archive(_ n: Int) throws -> Measurement {
        let (scratch, store) = (try Scratch(), try Scratch())
        let photos = try photos(n, of: 65_536, in: store)
        let files = photos.items.map { store.url.appending(path: "photos/\($0.fileName)") }
        let rounds = isQuick ? 2 : 5
        let pairs = try (0...rounds).map { round in
            let (ours, bare) = (
                scratch.url.appending(path: "\(round).zip"),
                scratch.url.appending(path: "\(round).bytes")
            )
            let pair = Pair(
                ours: try time { try photos.archive(to: ours) },
                reference: try time { try SystemCalls.join(files, to: bare) })
            for file in [ours, bare] { try FileManager.default.removeItem(at: file) }
            sync()
            return pair
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.5))
    }

    /// A collection of `n` photos of `size` bytes.
    private func photos(_ n: Int, of size: Int, in store: Scratch) throws -> Directory<Photo> {
        let photos = try Directory<Photo>(at: store.url, index: "photos.json")
        let stage = try photos.makeStage()
        for number in 0..<n {
            let byte = UInt8(truncatingIfNeeded: number)
            try stage.write(Data(repeating: byte, count: size), name: "\(number).jpg")
        }
        try photos.insert(stage)
        try photos.checkpoint()
        return photos
    }

    /// Copying a collection of `n` photos, against the same copies and syncs by bare system calls.
    func copy(_ n: Int) throws -> Measurement {
        let (scratch, store) = (try Scratch(), try Scratch())
        let photos = try photos(n, of: 5, in: store)
        let reference = BareCopy(
            of: photos.items.map(\.fileName), index: try Array(Data(contentsOf: photos.url)),
            in: store.url)
        let rounds = isQuick ? 2 : 5
        let pairs = try (0...rounds).map { round in
            let (ours, bare) = (
                scratch.url.appending(path: "ours \(round)"),
                scratch.url.appending(path: "bare \(round)")
            )
            let pair = Pair(
                ours: try time { try photos.copy(to: ours) },
                reference: try time { try reference.run(to: bare) })
            // Both copies stay until the end: for some seconds, ext4 does not reuse the inode of a removed file,
            // and skips each such inode whenever it makes a file.
            sync()
            return pair
        }
        return Measurement(
            medians: Pair(mediansOf: pairs.dropFirst()), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.5))
    }
}
