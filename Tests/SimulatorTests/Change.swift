import Directory
import Foundation

/// The operations that workloads are made of.
enum Change: String, CaseIterable, Sendable {
    case insertNote, updateNote, removeNote, moveNote, several, insertBox, renameBox
    case renameBoxInCaseOnly, removeBox, importPhotos, removePhoto, transferBox, transferPhoto
    case checkpoint

    /// What the change makes of a world; nil where it has nothing to work on.
    func applied(to world: World) -> World? {
        var world = world
        switch self {
        case .insertNote:
            world.lastNumber += 1
            world.notes.append(Note(id: world.lastNumber, title: "n"))
        case .updateNote:
            guard !world.notes.isEmpty else { return nil }
            // Longer than a sector of a disk, so that it can be torn.
            let letter = world.notes[0].title.first == "u" ? "v" : "u"
            world.notes[0].title = String(repeating: letter, count: 700)
        case .removeNote:
            guard !world.notes.isEmpty else { return nil }
            world.notes.removeFirst()
        case .moveNote:
            guard world.notes.count > 1 else { return nil }
            world.notes.append(world.notes.removeFirst())
        case .several:
            guard world.boxes.count > 1 else { return nil }
            world.lastNumber += 1
            world.boxes.removeFirst()
            world.boxes[0].box.name += "s"
            world.boxes.append(.init(box: Box(id: world.lastNumber, name: "S\(world.lastNumber)")))
        case .insertBox:
            world.lastNumber += 1
            world.boxes.append(.init(box: Box(id: world.lastNumber, name: "I\(world.lastNumber)")))
        case .renameBox:
            guard !world.boxes.isEmpty else { return nil }
            world.boxes[0].box.name += "r"
        case .renameBoxInCaseOnly:
            guard !world.boxes.isEmpty else { return nil }
            let name = world.boxes[0].box.name
            world.boxes[0].box.name =
                name == name.uppercased() ? name.lowercased() : name.uppercased()
        case .removeBox:
            guard !world.boxes.isEmpty else { return nil }
            world.boxes.removeFirst()
        case .importPhotos:
            guard !world.boxes.isEmpty else { return nil }
            world.lastNumber += 1
            world.boxes[0].pictures += Self.imports(world.lastNumber)
        case .removePhoto:
            guard let box = world.firstBoxWithPictures else { return nil }
            world.boxes[box].pictures.removeFirst()
        case .transferBox:
            guard !world.boxes.isEmpty else { return nil }
            world.archive.append(world.boxes.removeFirst())
        case .transferPhoto:
            guard let box = world.firstBoxWithPictures, world.boxes.count > 1 else { return nil }
            let picture = world.boxes[box].pictures.removeFirst()
            world.boxes[(box + 1) % world.boxes.count].pictures.append(picture)
        case .checkpoint: break
        }
        return world
    }

    /// A batch of two files, of which one has several pages.
    private static func imports(_ number: Int) -> [World.Picture] {
        [
            .init(name: "p\(number)", bytes: Data("p\(number)".utf8)),
            .init(name: "q\(number)", bytes: Data(repeating: UInt8(number), count: 4200)),
        ]
    }
}

extension World {
    fileprivate var firstBoxWithPictures: Int? { boxes.firstIndex { !$0.pictures.isEmpty } }
}

extension Change {
    /// Makes the change in a store that holds `world`.
    func make(in store: Store, holding world: World) throws {
        guard let next = applied(to: world) else { return }
        switch self {
        case .insertNote: try store.notes.append(next.notes[next.notes.count - 1])
        case .updateNote: try store.notes.update(next.notes[0])
        case .removeNote: try store.notes.remove(id: world.notes[0].id)
        case .moveNote:
            try store.notes.move(fromOffsets: [0], toOffset: world.notes.count)
        case .several:
            try store.boxes.write { draft in
                try draft.remove(id: world.boxes[0].box.id)
                try draft.update(next.boxes[0].box)
                try draft.append(next.boxes[next.boxes.count - 1].box)
            }
        case .insertBox: try store.boxes.append(next.boxes[next.boxes.count - 1].box)
        case .renameBox, .renameBoxInCaseOnly: try store.boxes.update(next.boxes[0].box)
        case .removeBox: try store.boxes.remove(id: world.boxes[0].box.id)
        case .importPhotos:
            let album = try store.album(of: world.boxes[0].box)
            let stage = try album.makeStage()
            for picture in next.boxes[0].pictures.suffix(2) {
                try stage.write(picture.bytes, name: picture.name)
            }
            try album.insert(stage)
        case .removePhoto:
            let album = try store.album(of: world.boxes[world.firstBoxWithPictures ?? 0].box)
            try album.load()
            try album.remove(id: album.items[0].id)
        case .transferBox:
            try store.boxes.transfer([world.boxes[0].box.id], to: store.archive)
        case .transferPhoto:
            let first = world.firstBoxWithPictures ?? 0
            let album = try store.album(of: world.boxes[first].box)
            try album.load()
            let target = world.boxes[(first + 1) % world.boxes.count].box
            try album.transfer([album.items[0].id], to: store.album(of: target))
        case .checkpoint: try store.checkpoint(world)
        }
    }
}
