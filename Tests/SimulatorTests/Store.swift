@testable import Directory
import FileSystem
import Foundation
import TestSupport

/// How the indexes of a store take in changes.
enum Commits: String, CaseIterable, Sendable {
    /// Each change writes the index anew.
    case rewrite
    /// The first change makes a journal.
    case newJournal
    /// There are journals already.
    case journal
    /// There are journals, which the next change folds into the index.
    case fold

    var areInJournals: Bool { self == .newJournal || self == .journal }
}

/// A store as a process has it open.
///
/// It lets go of no collection before it goes itself, so that none is closed in the middle.
final class Store {
    let boxes: Directory<Box>
    let archive: Directory<Box>
    private var openNotes: Directory<Note>?
    private var albums: [Directory<Photo>] = []
    private let fileSystem: any FileSystem
    private let options: DirectoryOptions

    init(on fileSystem: any FileSystem, _ commits: Commits) throws {
        var options = DirectoryOptions()
        if commits.areInJournals { options.journalThreshold = 0 }
        // So that some records fit into the padding, and some do not.
        options.journalGrowth = 200
        boxes = try Directory(
            at: URL(filePath: "/s/boxes"), index: "boxes.json", options: options, on: fileSystem)
        archive = try Directory(
            at: URL(filePath: "/s/archive"), index: "archive.json", options: options,
            on: fileSystem)
        self.fileSystem = fileSystem
        self.options = options
    }

    var notes: Directory<Note> {
        get throws {
            if let openNotes { return openNotes }
            let notes = try Directory<Note>(
                at: URL(filePath: "/s"), index: "notes.json", options: options, on: fileSystem)
            openNotes = notes
            return notes
        }
    }

    func album(of box: Box, in collection: Directory<Box>? = nil) throws -> Directory<Photo> {
        let album = try (collection ?? boxes).child(.photos, of: box.id)
        albums.append(album)
        return album
    }

    /// Folds the journals of all but the notes, which are closed and opened again.
    func checkpoint(_ world: World) throws {
        try boxes.checkpoint()
        try archive.checkpoint()
        for content in world.boxes { try album(of: content.box).checkpoint() }
        openNotes = nil
    }

    /// Waits for what goes on behind the changes.
    func finish() {
        for collection in [boxes, archive] { collection.core.background.wait() }
        openNotes?.core.background.wait()
        for album in albums { album.core.background.wait() }
    }

    /// What the store holds, read in one order or the other.
    func world(archiveFirst: Bool = false) throws -> World {
        var world = World()
        if archiveFirst { world.archive = try contents(of: archive) }
        world.boxes = try contents(of: boxes)
        if !archiveFirst { world.archive = try contents(of: archive) }
        let notes = try notes
        try notes.load()
        world.notes = Array(notes.items)
        return world
    }

    private func contents(of collection: Directory<Box>) throws -> [World.Content] {
        try collection.load()
        return try collection.items.map { box in
            // It got its folder before it was in the index; to ask for its album makes a new one.
            let folder = try collection.folder(of: box.id)
            _ = try fileSystem.openFolder(at: folder.path(percentEncoded: false))
            let album = try album(of: box, in: collection)
            try album.load()
            return World.Content(
                box: box,
                pictures: try album.items.map {
                    .init(name: $0.name, bytes: try album.data(of: $0.id))
                })
        }
    }

    func findings() throws -> [Finding] {
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

extension Store {
    /// A disk with ``World/first``, where nothing is on its way.
    static func disk(_ commits: Commits) throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        let hasJournals = commits == .journal || commits == .fold
        do {
            let store = try Store(on: ProcessFileSystem(disk), .rewrite)
            let first = hasJournals ? World.beforeFirst : .first
            try store.notes.append(contentsOf: first.notes)
            try store.boxes.append(contentsOf: first.boxes.map(\.box))
            for content in first.boxes {
                let album = try store.album(of: content.box)
                for picture in content.pictures {
                    try album.insert(picture.bytes, name: picture.name)
                }
            }
            store.finish()
        }
        if hasJournals { try addJournals(disk) }
        return disk.image
    }

    /// Leaves a journal beside each index that has items, as a process that was killed does.
    private static func addJournals(_ disk: MemoryFileSystem) throws {
        let process = ProcessFileSystem(disk)
        let store = try Store(on: process, .journal)
        try store.notes.load()
        try store.notes.update(World.first.notes[0])
        try store.boxes.load()
        try store.boxes.move(fromOffsets: [1], toOffset: 0)
        for content in World.first.boxes {
            let album = try store.album(of: content.box)
            try album.load()
            for (picture, photo) in zip(content.pictures, album.items) {
                var photo = photo
                photo.name = picture.name
                try album.update(photo)
            }
        }
        process.kill()
    }
}
