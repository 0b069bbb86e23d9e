import Directory
import Foundation

/// A new temporary folder, whose large files are emptied when the value is released.
///
/// The files are removed at the end, by ``removeAll()``. For a minute ext4 gives the number of a removed file to no new
/// one (`recently_deleted` in its ialloc.c), and looks at every such number for each new file: after the removal of
/// 10,000 files, a new file took half a millisecond.
final class Scratch {
    private static let parent = FileManager.default.temporaryDirectory.appending(
        path: "directory-bench-\(UUID().uuidString)", directoryHint: .isDirectory)

    let url: URL

    init() throws {
        url = Self.parent.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    // Best effort: it is a temporary folder.
    deinit {
        let files = FileManager.default
        for name in (try? files.subpathsOfDirectory(atPath: url.path)) ?? [] {
            let path = "\(url.path)/\(name)"
            let size = try? files.attributesOfItem(atPath: path)[.size] as? Int
            if let size, size > 1 << 16 { truncate(path, 0) }
        }
    }

    /// Removes all folders that this process made.
    static func removeAll() {
        try? FileManager.default.removeItem(at: parent)  // best effort: they are temporary folders
    }

    /// A new folder called `name` in the scratch folder.
    func makeFolder(_ name: String) throws -> URL {
        let folder = url.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension Scratch {
    /// A loaded collection of `count` tracks, whose index was written without the library.
    func makeTracks(
        _ count: Int, durability: DirectoryOptions.Durability = .durable
    ) throws -> Directory<Track> {
        try writeTracks(count)
        let tracks = try Directory<Track>(
            at: url, index: "tracks.json", options: .init(durability: durability))
        try tracks.load()
        return tracks
    }

    /// Writes the index of `count` tracks without the library.
    func writeTracks(_ count: Int) throws {
        try write((0..<count).lazy.map(Track.init), to: "tracks.json")
    }

    /// A loaded collection of `count` albums, whose index was written without the library, and which have no folders.
    func makeAlbums(
        _ count: Int, durability: DirectoryOptions.Durability = .durable
    ) throws -> Directory<Album> {
        try write((0..<count).lazy.map(Album.init), to: "albums.json")
        let albums = try Directory<Album>(
            at: url, index: "albums.json", options: .init(durability: durability))
        try albums.load()
        return albums
    }

    /// Writes an index of `items` without the library.
    private func write(_ items: some Sequence<some Encodable>, to index: String) throws {
        let encoder = JSONEncoder()
        var bytes = Data("[".utf8)
        for (position, item) in items.enumerated() {
            bytes += Data((position == 0 ? "\n" : ",\n").utf8)
            bytes += try encoder.encode(item)
        }
        bytes += Data("\n]\n".utf8)
        try bytes.write(to: url.appending(path: index))
    }

    /// Writes `count` files of 10 bytes, 100 to a folder, and returns the folder of these folders.
    func writeFiles(_ count: Int) throws -> URL {
        let files = try makeFolder("files")
        for folder in 0..<(count / 100) {
            let url = try makeFolder("files/folder \(folder)")
            for file in 0..<100 {
                try Data(count: 10).write(to: url.appending(path: "file \(file).bin"))
            }
        }
        return files
    }
}
