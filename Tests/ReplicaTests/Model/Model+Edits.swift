import Directory
import Foundation
import TestSupport

extension Model {
    /// A value that nothing else has.
    private mutating func newValue(on device: TestDevice) -> String {
        valueCount += 1
        makers["v\(valueCount)"] = device.name
        return "v\(valueCount)"
    }

    private mutating func newID() -> UUID {
        let (high, low) = (random.next(), random.next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Changes something on a device.
    mutating func edit(_ device: TestDevice) throws {
        try device.projects.load()
        let value = newValue(on: device)
        counts.writes += 1
        let choice = Double.random(in: 0..<1, using: &random)
        guard let project = device.projects.items.randomElement(using: &random), choice >= 0.15
        else { return try addProject(value, device) }
        let shelves = try device.shelves(of: project.id)
        let shelf = shelves.randomElement(using: &random) ?? .init(project.id)
        if settings.movedAlbums > 0,
            Double.random(in: 0..<1, using: &random) < settings.movedAlbums
        {
            return try editAlbums(of: project, device)
        }
        if settings.unreadableFiles > 0, Double.random(in: 0..<1, using: &random) < 0.3 {
            return try editPhoto(value, shelf, device)
        }
        switch choice {
        case ..<0.28:
            var note = Note(text: value)
            note.id = newID()
            try device.notes(shelf).append(note)
        case ..<0.4: try addPhoto(value, shelf, device)
        case ..<0.54: try device.projects.update(id: project.id) { $0.title = value }
        case ..<0.62:
            try device.projects.update(id: project.id) {
                $0.note = $0.note == nil ? value : nil
            }
        case ..<0.74: try editNote(value, shelf, device)
        case ..<0.79: try device.projects.remove(id: project.id)
        case ..<0.83:
            let count = device.projects.count
            let from = Int.random(in: 0..<count, using: &random)
            try device.projects.move(
                fromOffsets: [from], toOffset: .random(in: 0...count, using: &random))
        case ..<0.87:
            let names = ["Trip", "Moon", "Sun"]
            let wish = names.randomElement(using: &random) ?? ""
            let name = try device.projects.freeFolderName(for: wish, of: project.id)
            try device.projects.update(id: project.id) { $0.folderName = name }
        case ..<0.90: try moveNote(from: shelf, device)
        case ..<0.95 where settings.editsPhotos: try editPhoto(value, shelf, device)
        default: try editAlbums(of: project, device)
        }
    }

    /// Adds an album, removes or renames one, or moves one to another project.
    private mutating func editAlbums(of project: Project, _ device: TestDevice) throws {
        let albums = try device.albums(project.id)
        try albums.load()
        let wish = ["Day", "Night"].randomElement(using: &random) ?? ""
        guard let album = albums.items.randomElement(using: &random), Bool.random(using: &random)
        else {
            return try albums.append(
                Album(id: newID(), folderName: albums.freeFolderName(for: wish)))
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try albums.remove(id: album.id)
        case 1:
            let name = try albums.freeFolderName(for: wish, of: album.id)
            try albums.update(id: album.id) { $0.folderName = name }
        default:
            guard let other = device.projects.items.randomElement(using: &random) else { return }
            let target = try device.albums(other.id)
            try target.load()
            let name = try target.freeFolderName(for: album.folderName)
            try albums.transfer([album.id], to: target) { $0.folderName = name }
        }
    }

    private mutating func addProject(_ value: String, _ device: TestDevice) throws {
        let wish = ["Trip", "trip", "Moon", "Sun"].randomElement(using: &random) ?? ""
        var project = Project(value, folder: try device.projects.freeFolderName(for: wish))
        project.id = newID()
        let place = Int.random(in: 0...device.projects.count, using: &random)
        try device.projects.insert(project, at: place)
    }

    /// A photo with a file of these bytes, of which the seed decides everything: a life can be played again.
    private func photo(_ id: UUID, _ value: String) -> Photo {
        Photo(
            id: id, date: Date(timeIntervalSince1970: TimeInterval(valueCount)),
            name: "\(value).jpg", fileName: "\(value)-\(id).jpg", byteCount: value.utf8.count)
    }

    private mutating func addPhoto(_ value: String, _ shelf: Shelf, _ device: TestDevice) throws {
        let photo = photo(newID(), value)
        let photos = try device.photos(shelf)
        let stage = try photos.makeStage()
        try stage.write(Data(value.utf8), name: photo.name)
        try photos.write(importing: stage) { try $0.append(photo, file: $1[0]) }
    }

    private mutating func editNote(_ value: String, _ shelf: Shelf, _ device: TestDevice) throws {
        let notes = try device.notes(shelf)
        guard let note = try notes.loaded().randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try notes.remove(id: note.id)
        case 1: try notes.update(id: note.id) { $0.mark = value }
        default: try notes.update(id: note.id) { $0.text = value }
        }
    }

    /// Moves a photo to another collection, or replaces its file, or does both at once; or removes it.
    private mutating func editPhoto(_ value: String, _ shelf: Shelf, _ device: TestDevice) throws {
        let photos = try device.photos(shelf)
        let others = try device.shelves.filter { $0 != shelf }
        guard let photo = try photos.loaded().randomElement(using: &random) else { return }
        if settings.unreadableFiles > 0, Double.random(in: 0..<1, using: &random) < 0.2 {
            return try photos.remove(id: photo.id)
        }
        var target = photos
        if Bool.random(using: &random), let other = others.randomElement(using: &random) {
            target = try device.photos(other)
            if try hasItem(photo.id, on: device, like: other, but: shelf, in: device.photos) {
                return
            }
            try photos.transfer([photo.id], to: target)
            if Bool.random(using: &random) { return }
        }
        let new = self.photo(photo.id, value)
        let stage = try target.makeStage()
        try stage.write(Data(value.utf8), name: new.name)
        try target.write(importing: stage) { draft, assets in
            _ = try draft.update(id: photo.id, file: assets[0]) { $0 = new }
        }
    }

    /// Whether a collection of the kind of `target` has the item already: one that moves between a project and an album
    /// is in both if it was changed elsewhere meanwhile.
    private func hasItem<Item: Identifiable>(
        _ id: Item.ID, on device: TestDevice, like target: Shelf, but source: Shelf,
        in collection: (Shelf) throws -> Directory<Item>
    ) throws -> Bool {
        try device.shelves.contains { shelf in
            let isOfItsKind = (shelf.album == nil) == (target.album == nil)
            guard isOfItsKind, shelf != source else { return false }
            return try collection(shelf).loaded().contains { $0.id == id }
        }
    }

    private mutating func moveNote(from shelf: Shelf, _ device: TestDevice) throws {
        let others = try device.shelves.filter { $0 != shelf }
        guard let note = try device.notes(shelf).loaded().randomElement(using: &random),
            let other = others.randomElement(using: &random),
            try !hasItem(note.id, on: device, like: other, but: shelf, in: device.notes)
        else { return }
        try device.projects.write { draft in
            try draft.writeNotes(of: shelf) { try $0.remove(id: note.id) }
            try draft.writeNotes(of: other) { try $0.append(note) }
        }
    }
}

extension Directory<Project>.Draft {
    fileprivate mutating func writeNotes(
        of shelf: Shelf, _ change: (inout Directory<Note>.Draft) throws -> Void
    ) throws {
        guard let album = shelf.album else { return try write(.notes, of: shelf.project, change) }
        try write(.albums, of: shelf.project) { try $0.write(.notes, of: album, change) }
    }
}
