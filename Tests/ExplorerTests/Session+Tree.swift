import Directory
import Foundation
import StoreModel

extension Session {
    /// What the tree holds; the archive is read before the projects, or after them.
    ///
    /// - Throws: ``Violation`` if a file does not have the bytes of its photograph.
    func tree(archiveFirst: Bool = false) throws -> Tree {
        var tree = Tree()
        if archiveFirst { tree.archive = try nodes(in: archive, "archive") }
        tree.projects = try nodes(in: projects, "")
        if !archiveFirst { tree.archive = try nodes(in: archive, "archive") }
        return tree
    }

    private func nodes(in collection: Directory<Box>, _ path: String) throws -> [Tree.Node] {
        try collection.load()
        return try collection.items.map { box in
            let key = "\(path) \(box.id)"
            let notes = try child(.notes, of: box.id, in: collection, key)
            let photos = try child(.photos, of: box.id, in: collection, key)
            let parts = try child(.parts, of: box.id, in: collection, key)
            try notes.load()
            try photos.load()
            let names = try photos.items.map { photo in
                guard try photos.data(of: photo.id) == Tree.bytes(of: photo.name) else {
                    throw Violation("the file of \(photo.name) has wrong bytes")
                }
                return photo.name
            }
            return Tree.Node(
                box: box, notes: Array(notes.items), photos: names, parts: try nodes(in: parts, key)
            )
        }
    }

    /// Calls `body` with each collection, top down.
    func forEachCollection(_ body: (any AnyCollection) throws -> Void) throws {
        try forEachCollection(below: projects, "", body)
        try forEachCollection(below: archive, "archive", body)
    }

    private func forEachCollection(
        below collection: Directory<Box>, _ path: String, _ body: (any AnyCollection) throws -> Void
    ) throws {
        try body(collection)
        try collection.load()
        for box in collection.items {
            let key = "\(path) \(box.id)"
            try body(child(.notes, of: box.id, in: collection, key))
            try body(child(.photos, of: box.id, in: collection, key))
            try forEachCollection(
                below: child(.parts, of: box.id, in: collection, key), key, body)
        }
    }

    /// Changes each collection: adds a note, a photograph and a container to each container.
    func changeAll() throws {
        for (shelf, collection) in [("", projects), ("archive", archive)] {
            try change(collection, shelf)
        }
    }

    private func change(_ collection: Directory<Box>, _ path: String) throws {
        for box in collection.items {
            let key = "\(path) \(box.id)"
            let notes = try child(.notes, of: box.id, in: collection, key)
            try notes.append(Note(id: 999, title: "z"))
            let photos = try child(.photos, of: box.id, in: collection, key)
            try photos.insert(Data("z".utf8))
            try change(child(.parts, of: box.id, in: collection, key), key)
        }
        try collection.append(Box(id: 999, folderName: "Zz"))
    }
}

/// What is wrong with a tree.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
