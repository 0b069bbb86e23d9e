import FileSystem
import Foundation
import StoreModel
import Synchronization

@testable import Directory

extension Child where Item == Note {
    static let notes = Child("notes")
}

extension Child where Item == Box {
    static let parts = Child("parts")
}

/// A tree as one process has it open; each collection stays open until the end of the process.
final class Session: Sendable {
    /// How indexes are written: each commit rewrites them, or appends to a journal.
    enum Mode: String, CaseIterable, Sendable {
        case rewrite, journal
    }

    private struct Open {
        var collections: [String: any Sendable] = [:]
        var waits: [@Sendable () -> Void] = []
    }

    let fileSystem: any FileSystem
    let projects: Directory<Box>
    let archive: Directory<Box>
    private let open = Mutex(Open())

    init(on fileSystem: any FileSystem, _ mode: Mode, undoLimit: Int = 0) throws {
        var options = DirectoryOptions(lockTimeout: .milliseconds(2), undoLimit: undoLimit)
        if mode == .journal { options.journalThreshold = 0 }
        options.journalGrowth = 200
        self.fileSystem = fileSystem
        projects = try Directory(
            at: URL(filePath: "/store/shelf"), index: "projects.json", options: options,
            on: fileSystem)
        archive = try Directory(
            at: URL(filePath: "/store/archive"), index: "archive.json", options: options,
            on: fileSystem)
        keep(projects)
        keep(archive)
    }

    private func keep<Item>(_ collection: Directory<Item>) {
        let core = collection.core
        open.withLock { $0.waits.append { core.background.wait() } }
    }

    /// Waits for the work that commits left to the background.
    func waitForBackground() { waits.forEach { $0() } }

    /// Each of these waits for the background work of a collection, also after its end.
    var waits: [@Sendable () -> Void] { open.withLock { $0.waits } }
}

extension Session {
    func notes(in path: [Int]) throws -> Directory<Note> { try child(.notes, in: path) }
    func photos(in path: [Int]) throws -> Directory<Photo> { try child(.photos, in: path) }
    func parts(in path: [Int]) throws -> Directory<Box> { try child(.parts, in: path) }

    func collection(_ shelf: Shelf) throws -> Directory<Box> {
        switch shelf {
        case .projects: projects
        case .archive: archive
        case .parts(let path): try parts(in: path)
        }
    }

    private func child<Item>(_ child: Child<Item>, in path: [Int]) throws -> Directory<Item> {
        let parent = path.count == 1 ? projects : try parts(in: path.dropLast())
        return try self.child(child, of: path[path.count - 1], in: parent, "\(path)")
    }

    /// Opens a child once; `key` tells its container from all others.
    func child<Item>(
        _ child: Child<Item>, of id: Int, in parent: Directory<Box>, _ key: String
    ) throws -> Directory<Item> {
        let key = "\(key)/\(child.name)"
        if let known = open.withLock({ $0.collections[key] }) as? Directory<Item> { return known }
        let collection = try parent.child(child, of: id)
        open.withLock { $0.collections[key] = collection }
        keep(collection)
        return collection
    }
}
