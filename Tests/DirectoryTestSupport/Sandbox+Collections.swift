package import Directory
package import FileSystem
import Foundation
package import StoreModel
import TestSupport
import Testing

extension Sandbox {
    /// The collection of boxes in this folder, or in a folder below it.
    package func boxes(_ path: String = "", options: DirectoryOptions = .init()) throws
        -> Directory<Box>
    {
        let boxes = try Directory<Box>(at: url(path), index: "boxes.json", options: options)
        try recover(boxes, at: path)
        return boxes
    }

    /// Makes two boxes: One with the note Eggs, and Two with the note Milk.
    package func twoBoxes() throws -> Directory<Box> {
        let boxes = try boxes()
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.child(.notes, of: 2).append(.milk)
        return boxes
    }

    package func pieces(_ path: String = "") throws -> Directory<Piece> {
        let pieces = try Directory<Piece>(at: url(path), index: "pieces.json")
        try recover(pieces, at: path)
        return pieces
    }

    package func photos(_ path: String = "", options: DirectoryOptions = .init()) throws
        -> Directory<Photo>
    {
        let photos = try Directory<Photo>(at: url(path), index: "photos.json", options: options)
        try recover(photos, at: path)
        return photos
    }

    /// Loads, and loads again while there are leftovers of a crash.
    ///
    /// A load does not recover while another process has the lock; a child process that another
    /// test starts inherits every lock for a moment.
    private func recover(_ directory: Directory<some Any>, at path: String) throws {
        try directory.load()
        // The folder may be missing.
        for _ in 0..<20 where (try? unfinished(path))?.isEmpty == false {
            Thread.sleep(forTimeInterval: 0.005)
            try directory.load()
        }
    }

    /// The notes as another process opens them that writes every change to the journal.
    package func journaledNotes(
        _ path: String = "", on fileSystem: any FileSystem = ProcessFileSystem(LocalFileSystem())
    ) throws -> Directory<Note> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return try Directory(at: url(path), index: "notes.json", options: options, on: fileSystem)
    }

    /// Locks the index of notes as another process does, until the handle is released.
    package func lock() throws -> Handle {
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: url.path)
        let file = try files.openFile(".notes.lock", in: folder, for: .update)
        try #require(try files.tryLock(file))
        return file
    }

    /// The notes that another process reads from an index.
    package func notesOnDisk(_ index: String = "notes.json") throws -> [Note] {
        let notes = try Directory<OtherNote>(at: url, index: index)
        try notes.load()
        return notes.items.map { Note(id: $0.id, title: $0.title) }
    }
}

extension Directory {
    /// The items after a load.
    package func loaded() throws -> Items {
        try load()
        return items
    }
}

extension Directory where Item: Container {
    /// The notes in the folder of an item, as they are on disk.
    package func notes(of id: Item.ID) throws -> [Note] {
        try Array(child(.notes, of: id).loaded())
    }
}

extension AsyncSequence where Failure == Never {
    /// The first `count` elements, or all if there are fewer.
    package func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}
