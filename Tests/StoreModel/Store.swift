package import Directory
package import FileSystem
import Foundation

/// A store as one process has it open.
///
/// It keeps each collection open until it is closed or released itself, so that no collection is
/// closed in the middle of an operation.
package final class Store {
    package let boxes: Directory<Box>
    package let archive: Directory<Box>
    package private(set) var openNotes: Directory<Note>?
    package private(set) var openAlbums: [Directory<Photo>] = []
    private let fileSystem: any FileSystem
    private let options: DirectoryOptions

    package init(
        on fileSystem: any FileSystem, _ mode: CommitMode, lockTimeout: Duration = .seconds(30),
        undoLimit: Int = 0
    ) throws {
        var options = DirectoryOptions(lockTimeout: lockTimeout, undoLimit: undoLimit)
        if mode.writesJournals { options.journalThreshold = 0 }
        // Some records fit into padding of this size, and some do not.
        options.journalGrowth = 200
        boxes = try Directory(
            at: URL(filePath: "/store/boxes"), index: "boxes.json", options: options,
            on: fileSystem)
        archive = try Directory(
            at: URL(filePath: "/store/archive"), index: "archive.json", options: options,
            on: fileSystem)
        self.fileSystem = fileSystem
        self.options = options
    }

    package var notes: Directory<Note> {
        get throws {
            if let openNotes { return openNotes }
            let notes = try Directory<Note>(
                at: URL(filePath: "/store"), index: "notes.json", options: options, on: fileSystem)
            openNotes = notes
            return notes
        }
    }

    package func album(of box: Box) throws -> Directory<Photo> { try album(of: box, in: boxes) }

    private func album(of box: Box, in collection: Directory<Box>) throws -> Directory<Photo> {
        let album = try collection.child(.photos, of: box.id)
        openAlbums.append(album)
        return album
    }

    /// Closes the notes and the albums, which writes their journals into their indexes.
    package func close() {
        openNotes = nil
        openAlbums = []
    }

    /// Writes all journals into their indexes: that of the notes by closing them.
    package func checkpoint() throws {
        for collection in [boxes, archive] {
            try collection.checkpoint()
            try collection.load()
            for box in collection.items { try album(of: box, in: collection).checkpoint() }
        }
        openNotes = nil
    }
}

extension Store {
    /// What the store holds; the archive is read before the boxes, or after them.
    package func contents(archiveFirst: Bool = false) throws -> StoreContents {
        var contents = StoreContents()
        if archiveFirst { contents.archive = try storedBoxes(of: archive) }
        contents.boxes = try storedBoxes(of: boxes)
        if !archiveFirst { contents.archive = try storedBoxes(of: archive) }
        let notes = try notes
        try notes.load()
        contents.notes = Array(notes.items)
        return contents
    }

    private func storedBoxes(of collection: Directory<Box>) throws
        -> [StoreContents.StoredBox]
    {
        try collection.load()
        return try collection.items.map { box in
            // Opening the album would make a missing folder, but a box in the index must have one.
            let folder = try collection.folder(of: box.id)
            _ = try fileSystem.openFolder(at: folder.path(percentEncoded: false))
            let album = try album(of: box, in: collection)
            try album.load()
            let photos = try album.items.map {
                StoreContents.StoredPhoto(name: $0.name, bytes: try album.data(of: $0.id))
            }
            return .init(box: box, photos: photos)
        }
    }

    /// What verification finds in all collections.
    package func findings() throws -> [Finding] {
        var findings = try notes.verify()
        for collection in [boxes, archive] {
            findings += try collection.verify()
            for box in collection.items {
                findings += try album(of: box, in: collection).verify()
            }
        }
        return findings
    }
}
