import Directory
import Foundation

extension Step {
    /// Makes the change by the library.
    package func perform(in session: Session) throws {
        switch self {
        case .appendNote(let note, let path): try session.notes(in: path).append(note)
        case .updateNote(let note, let path): try session.notes(in: path).update(note)
        case .removeNote(let id, let path): try session.notes(in: path).remove(id: id)
        case .importPhotos(let names, let path):
            let photos = try session.photos(in: path)
            try photos.insert(photos.stage(names))
        case .removePhotos(let names, let path):
            let photos = try session.photos(in: path)
            try photos.remove(ids: photos.ids(of: names))
        case .replacePhoto(let name, let file, let imported, let position, let path):
            try session.photos(in: path).replace(name, by: file, importing: imported, at: position)
        case .transferPhotos(let names, let path, let newPath):
            let (photos, target) = (try session.photos(in: path), try session.photos(in: newPath))
            try photos.transfer(photos.ids(of: names), to: target)
        case .appendBox(_, let shelf), .renameBox(_, _, let shelf), .removeBox(_, let shelf):
            try session.boxes(on: shelf).write([self], below: shelf)
        case .write(let steps, let shelf):
            // Also after an error: a write that is refused may have ended what others left in these collections.
            defer { session.keepOpen(steps) }
            try session.boxes(on: shelf).write(steps, below: shelf)
        case .expectNotes, .expectPhotos: throw Violation("\(self) is a part of a write")
        case .transferBox(let id, let shelf, let newShelf):
            try session.boxes(on: shelf).transfer([id], to: session.boxes(on: newShelf))
        case .moveFirst(let place): try session.collection(place).moveFirst()
        case .byHand(let change): try change.perform(in: session)
        case .checkpoint: try session.forEachCollection { try $0.checkpoint() }
        case .close: try close(session)
        case .repair: try session.forEachCollection { _ = try $0.repair() }
        case .open: _ = try session.tree()
        // If a killed process could not keep what it removed, it has nothing to undo.
        case .undo(let place):
            guard try session.collection(place).undoLast() else { throw Refusal(.itemNotFound) }
        case .redo(let place):
            guard try session.collection(place).redoLast() else { throw Refusal(.itemNotFound) }
        case .bringBack(let name, let place):
            guard try session.collection(place).bringBack(name) else {
                throw Refusal(.itemNotFound)
            }
        case .copy: try session.projects.copy(to: Session.newCopy)
        case .restore: try session.projects.restore(from: Session.copy)
        case .merge: try session.projects.merge(from: Session.copy) { _, _ in .takeTheirs }
        }
    }

    /// Closes each collection, and those that its items hold before it.
    private func close(_ session: Session) throws {
        var all: [any AnyCollection] = []
        try session.forEachCollection { all.append($0) }
        for collection in all.reversed() { try collection.close() }
    }
}

extension Directory where Item == Photo {
    fileprivate func ids(of names: [String]) throws -> [UUID] {
        try load()
        return try names.map { name in
            guard let photo = items.first(where: { $0.name == name }) else {
                throw Refusal(.itemNotFound)
            }
            return photo.id
        }
    }

    fileprivate func replace(
        _ name: String, by file: String, importing imported: String, at position: Int
    ) throws {
        let stage = try stage([file, imported])
        let id = try ids(of: [name])[0]
        try write(importing: stage) { draft, assets in
            try draft.update(id: id, file: assets[0]) { $0.replaceFile(by: assets[0]) }
            try draft.insert(Photo(assets[1]), at: position, file: assets[1])
        }
    }
}

extension Directory {
    /// A stage with `files`.
    func stage(_ files: [String]) throws -> Stage {
        let stage = try makeStage()
        for file in files { try stage.write(Photograph.bytes(of: file), name: file) }
        return stage
    }
}
