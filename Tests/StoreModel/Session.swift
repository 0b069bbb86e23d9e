package import Directory
package import FileSystem
package import Foundation
import Synchronization

/// A store as one process has it open; each collection stays open until the end of the process, or
/// until it is released.
package final class Session: Sendable {
    private struct Key: Hashable {
        /// The collection of boxes, one of which holds this one; the session's own is in no box.
        let parent: ObjectIdentifier
        let id: Int
        let name: String
    }

    package let fileSystem: any FileSystem
    package let projects: Directory<Box>
    package let archive: Directory<Box>
    private let folder: URL
    let options: DirectoryOptions
    private let open = Mutex<[Key: any AnyCollection]>([:])

    package init(
        at folder: URL, _ options: DirectoryOptions = .init(),
        on fileSystem: any FileSystem = LocalFileSystem()
    ) throws {
        self.fileSystem = fileSystem
        self.folder = folder
        self.options = options
        projects = try Directory(
            at: folder.appending(path: "projects"), index: "projects.json", options: options,
            on: fileSystem)
        archive = try Directory(
            at: folder.appending(path: "archive"), index: "archive.json", options: options,
            on: fileSystem)
    }

    /// Opens the store on a disk of a test.
    package convenience init(
        on fileSystem: any FileSystem, _ mode: CommitMode, lockTimeout: Duration = .seconds(30),
        undoLimit: Int = 0, keepsRemoved: DirectoryOptions.Retention? = nil
    ) throws {
        var options = DirectoryOptions(
            lockTimeout: lockTimeout, undoLimit: undoLimit, keepsRemoved: keepsRemoved)
        if mode.writesJournals { options.journalThreshold = 0 }
        options.journalTime = nil
        if mode == .relaxed { options.durability = .relaxed }
        // Some records fit into padding of this size, and some do not.
        options.journalGrowth = 200
        try self.init(at: URL(filePath: "/store"), options, on: fileSystem)
    }

    /// Where a copy of projects is on the disks of tests that need one, and where they make another one.
    package static let copy = URL(filePath: "/copies/old/projects")
    package static let newCopy = URL(filePath: "/copies/new/projects")

    /// Releases the notes and all that is in boxes, which writes their journals into their indexes.
    package func release() { open.withLock { $0 = [:] } }

    /// All open collections.
    package var collections: [any AnyCollection] {
        [projects, archive] + open.withLock { Array($0.values) }
    }
}

extension Session {
    /// The notes in the box at a path, or of the store.
    package func notes(in path: [Int]) throws -> Directory<Note> {
        guard path.isEmpty else { return try child(.notes, in: path) }
        return try kept(Key(parent: ObjectIdentifier(self), id: 0, name: "notes")) {
            try Directory(at: folder, index: "notes.json", options: options, on: fileSystem)
        }
    }

    package func photos(in path: [Int]) throws -> Directory<Photo> { try child(.photos, in: path) }

    package func boxes(on shelf: Shelf) throws -> Directory<Box> {
        switch shelf {
        case .projects: projects
        case .archive: archive
        case .parts(let path): try child(.parts, in: path)
        }
    }

    func collection(_ place: Place) throws -> any AnyCollection {
        switch place {
        case .notes(let path): try notes(in: path)
        case .photos(let path): try photos(in: path)
        case .boxes(let shelf): try boxes(on: shelf)
        }
    }

    private func child<Item>(_ child: Child<Item>, in path: [Int]) throws -> Directory<Item> {
        let parent = path.count == 1 ? projects : try boxes(on: .parts(path.dropLast()))
        return try self.child(child, of: path[path.count - 1], in: parent)
    }

    /// The collections in a box, which is one of `boxes`.
    package func children(of id: Int, in boxes: Directory<Box>) throws
        -> (notes: Directory<Note>, photos: Directory<Photo>, parts: Directory<Box>)
    {
        (
            try child(.notes, of: id, in: boxes), try child(.photos, of: id, in: boxes),
            try child(.parts, of: id, in: boxes)
        )
    }

    private func child<Item>(
        _ child: Child<Item>, of id: Int, in parent: Directory<Box>
    ) throws -> Directory<Item> {
        try kept(Key(parent: ObjectIdentifier(parent), id: id, name: child.name)) {
            try parent.child(child, of: id)
        }
    }

    /// Opens a collection once.
    private func kept<Item>(_ key: Key, _ make: () throws -> Directory<Item>) rethrows
        -> Directory<Item>
    {
        if let known = open.withLock({ $0[key] }) as? Directory<Item> { return known }
        let collection = try make()
        open.withLock { $0[key] = collection }
        return collection
    }
}

/// What sessions do with collections of every type.
package protocol AnyCollection: Sendable {
    func load() throws
    func checkpoint() throws
    func close() throws
    func verify() throws -> [Finding]
    func repair() throws -> [Repair]
    func moveFirst() throws
    /// Undoes the last change; false if there is none.
    func undoLast() throws -> Bool
    /// Makes it again; false if there is none.
    func redoLast() throws -> Bool
    /// Brings back the item with this id, or the photograph of this name; false if it was not removed.
    func bringBack(_ name: String) throws -> Bool
}

extension Directory: AnyCollection {
    package func moveFirst() throws {
        try write { draft in try draft.move(fromOffsets: [0], toOffset: draft.items.count) }
    }

    package func undoLast() throws -> Bool { try undo() != nil }
    package func redoLast() throws -> Bool { try redo() != nil }

    package func bringBack(_ name: String) throws -> Bool {
        let removed = try recentlyRemoved().first {
            name == ($0.item as? Photo)?.name ?? "\($0.item.id)"
        }
        guard let removed else { return false }
        return try !bring(back: [removed.id]).isEmpty
    }
}
