import Directory
import FileSystem
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
            try session.boxes(on: shelf).write(steps, below: shelf)
            session.keepOpen(steps)
        case .expectNotes, .expectPhotos: throw Violation("\(self) is a part of a write")
        case .transferBox(let id, let shelf, let newShelf):
            try session.boxes(on: shelf).transfer([id], to: session.boxes(on: newShelf))
        case .moveFirst(let place): try session.collection(place).moveFirst()
        case .edit(let folder): try edit(folder, in: session)
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

    /// Replaces an index as an editor does.
    private func edit(_ name: String, in session: Session) throws {
        let fileSystem = session.fileSystem
        let (index, temporary): (FileName, FileName) = ("notes.json", "notes.json~")
        let path = "/store/projects/\(name)"
        let folder = try fileSystem.unlessMissing { try fileSystem.openFolder(at: path) }
        guard let folder, let bytes = try fileSystem.readAll(index, in: folder) else {
            throw Refusal(.itemNotFound)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let file = try fileSystem.openFile(temporary, in: folder, for: .create(mode: 0o600))
        let edited = Note.edited
        let note = ",\n{\"id\":\(edited.id),\"title\":\"\(edited.title)\"}\n]"
        let new = text.prefix { $0 != "]" }.trimmingSuffix(while: \.isWhitespace) + note
        try fileSystem.write(Array(new.utf8), to: file, at: 0)
        try fileSystem.sync(file)
        try fileSystem.rename(temporary, in: folder, to: index, in: folder, replacing: true)
        try fileSystem.sync(folder)
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

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
