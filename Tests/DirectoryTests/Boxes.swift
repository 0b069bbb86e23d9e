import Directory
import Foundation

/// A container that says itself what its folder is called.
struct Box: Container, Hashable {
    var id: Int
    var folderName: String
}

/// The same record under another type: it has a live core of its own, so a collection of these
/// sees and does what another process would.
struct OtherBox: Container, Hashable {
    var id: Int
    var folderName: String
}

/// An asset that says itself what its file is called.
struct Piece: Asset, Hashable {
    var id: Int
    var fileName: String
    var title = ""
}

extension Child where Item == Box {
    static let boxes = Child("boxes")
}

extension Child where Item == Project {
    static let projects = Child("projects")
}

extension Child where Item == Piece {
    static let pieces = Child("pieces")
}

extension Sandbox {
    /// The collection of boxes in this folder, or in one below it.
    func boxes(_ path: String = "", options: DirectoryOptions = .init()) throws -> Directory<Box> {
        let boxes = try Directory<Box>(at: url(path), index: "boxes.json", options: options)
        try recover(boxes, at: path)
        return boxes
    }

    func pieces(_ path: String = "") throws -> Directory<Piece> {
        let pieces = try Directory<Piece>(at: url(path), index: "pieces.json")
        try recover(pieces, at: path)
        return pieces
    }

    func photos(_ path: String = "", options: DirectoryOptions = .init()) throws
        -> Directory<Photo>
    {
        let photos = try Directory<Photo>(at: url(path), index: "photos.json", options: options)
        try recover(photos, at: path)
        return photos
    }

    /// Loads, and again while another process has the lock, because such a load leaves as it is
    /// what a crash left: a child process that a test beside this one starts has a copy of each
    /// lock for a moment.
    private func recover(_ directory: Directory<some Any>, at path: String) throws {
        try directory.load()
        // There may be no folder yet.
        for _ in 0..<20 where (try? leftovers(path))?.isEmpty == false {
            Thread.sleep(forTimeInterval: 0.005)
            try directory.load()
        }
    }
}

extension Directory where Item: Container {
    /// The notes of an item as they are on disk.
    func notes(of id: Item.ID) throws -> [Note] {
        let notes = try child(.notes, of: id)
        try notes.load()
        return Array(notes.items)
    }
}

/// The files of the repository's `Fixtures` folder.
enum Fixtures {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// The eight photographs.
    static var photos: [URL] {
        get throws {
            let folder = url.appending(path: "photos")
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil
            ).filter { ["jpg", "png"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        }
    }
}
