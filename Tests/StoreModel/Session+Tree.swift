package import Directory
import FileSystem
import Foundation

extension Session {
    /// What the store holds; the archive is read before the projects, or after them.
    ///
    /// - Throws: ``Violation`` if a file does not have the bytes of a photograph.
    package func tree(archiveFirst: Bool = false) throws -> Tree {
        var tree = Tree()
        if archiveFirst { tree.archive = try nodes(in: archive) }
        tree.projects = try nodes(in: projects)
        if !archiveFirst { tree.archive = try nodes(in: archive) }
        let notes = try notes(in: [])
        try notes.load()
        tree.notes = Array(notes.items)
        return tree
    }

    private func nodes(in boxes: Directory<Box>) throws -> [Tree.Node] {
        try boxes.load()
        return try boxes.items.map { box in
            // Opening what is in a box would make a missing folder, but a box in the index must have
            // one.
            let path = try boxes.folder(of: box.id).path(percentEncoded: false)
            guard try fileSystem.unlessMissing({ try fileSystem.openFolder(at: path) }) != nil
            else {
                throw Refusal.noBox
            }
            let (notes, photos, parts) = try children(of: box.id, in: boxes)
            try notes.load()
            try photos.load()
            let photographs = try photos.items.map { photo in
                guard let file = Photograph.file(of: try photos.data(of: photo.id)) else {
                    throw Violation("the file of \(photo.name) has wrong bytes")
                }
                return Photograph(photo.name, file: file)
            }
            return Tree.Node(
                box, notes: Array(notes.items), photos: photographs, parts: try nodes(in: parts))
        }
    }

    /// Calls `body` with each collection, top down.
    package func forEachCollection(_ body: (any AnyCollection) throws -> Void) throws {
        try forEachCollection(in: projects, body)
        try forEachCollection(in: archive, body)
        try body(notes(in: []))
    }

    private func forEachCollection(
        in boxes: Directory<Box>, _ body: (any AnyCollection) throws -> Void
    ) throws {
        try body(boxes)
        try boxes.load()
        for box in boxes.items {
            let (notes, photos, parts) = try children(of: box.id, in: boxes)
            try body(notes)
            try body(photos)
            try forEachCollection(in: parts, body)
        }
    }

    /// What verification finds in all collections.
    package func findings() throws -> [Finding] {
        var findings: [Finding] = []
        try forEachCollection { findings += try $0.verify() }
        return findings
    }
}

/// What is wrong with a store.
package struct Violation: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
