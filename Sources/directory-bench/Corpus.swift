import Directory
import Foundation

/// The item that is measured: about 164 bytes of JSON.
struct Track: Codable, Identifiable, Sendable {
    var id: Int
    var title: String
    var artist: String
    var seconds: Double
    var isFavourite: Bool
    var added: Date

    init(_ id: Int) {
        self.id = id
        title = "Title number \(id) of the collection"
        artist = "Artist \(id % 1_000)"
        seconds = 180.5 + Double(id % 100)
        isFavourite = id % 7 == 0
        added = Date(timeIntervalSinceReferenceDate: 700_000_000.25 + Double(id))
    }
}

/// A container without anything else.
struct Album: Container {
    var id: Int
    var folderName: String { "Album \(id)" }
}

extension Child where Item == Photo {
    static let photos = Child("photos")
}

/// A fresh folder, gone with the value.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "directory-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A loaded collection of `count` tracks, whose index was written without the library.
    func tracks(_ count: Int, durability: DirectoryOptions.Durability = .durable) throws
        -> Directory<Track>
    {
        try writeTracks(count)
        let tracks = try Directory<Track>(
            at: url, index: "tracks.json", options: .init(durability: durability))
        try tracks.load()
        return tracks
    }

    func writeTracks(_ count: Int) throws {
        let encoder = JSONEncoder()
        var bytes = Data("[".utf8)
        for id in 0..<count {
            bytes += Data((id == 0 ? "\n" : ",\n").utf8)
            bytes += try encoder.encode(Track(id))
        }
        bytes += Data("\n]\n".utf8)
        try bytes.write(to: url.appending(path: "tracks.json"))
    }
}
