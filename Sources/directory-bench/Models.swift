import Directory
import Foundation

/// The item of most benchmarks: about 164 bytes of JSON.
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

/// A container with little other data than its id.
struct Album: Container {
    var id: Int
    /// A number that changes.
    var count = 0

    init(id: Int) { self.id = id }

    var folderName: String { "Album \(id)" }
}

/// The same record as ``Album``: collections of two types never share their items, like those of two processes.
struct OtherAlbum: Container {
    var id: Int
    var count = 0
    var folderName: String { "Album \(id)" }
}

extension Child where Item == Album {
    static let albums = Child("albums")
}
