import Directory
import FileSystem
import Foundation
import StoreModel

extension Step {
    /// Makes the change by the library.
    func perform(in session: Session) throws {
        switch self {
        case .appendNote(let id, let path):
            try session.notes(in: path).append(Note(id: id, title: "n"))
        case .updateNote(let id, let path):
            try session.notes(in: path).update(Note(id: id, title: "u"))
        case .removeNote(let id, let path): try session.notes(in: path).remove(id: id)
        case .importPhotos(let names, let path):
            let photos = try session.photos(in: path)
            let stage = try photos.makeStage()
            for name in names { try stage.write(Tree.bytes(of: name), name: name) }
            try photos.insert(stage)
        case .removePhoto(let name, let path):
            let photos = try session.photos(in: path)
            try photos.remove(id: photos.id(of: name))
        case .replacePhoto(let name, let imported, let path):
            try session.photos(in: path).replace(name, importing: imported)
        case .transferPhoto(let name, let path, let newPath):
            let (photos, target) = (try session.photos(in: path), try session.photos(in: newPath))
            try photos.transfer([photos.id(of: name)], to: target)
        case .appendBox(let box, let shelf): try session.collection(shelf).append(box)
        case .renameBox(let id, let name):
            try session.projects.update(Box(id: id, folderName: name))
        case .removeBox(let id, let shelf): try session.collection(shelf).remove(id: id)
        case .transferBox(let id, let shelf, let newShelf):
            try session.collection(shelf).transfer([id], to: session.collection(newShelf))
        case .edit(let folder): try edit(folder, on: session.fileSystem)
        case .checkpoint: try session.forEachCollection { try $0.checkpoint() }
        case .close: try close(session)
        case .repair: try session.forEachCollection { try $0.repair() }
        case .open: _ = try session.tree()
        case .undo(let shelf): try expectChange { try session.collection(shelf).undo() }
        case .redo(let shelf): try expectChange { try session.collection(shelf).redo() }
        case .undoPhotos(let path): try expectChange { try session.photos(in: path).undo() }
        case .redoPhotos(let path): try expectChange { try session.photos(in: path).redo() }
        }
    }

    /// If a killed process could not keep what it removed, it has nothing to undo.
    private func expectChange<Change>(_ body: () throws -> Change?) throws {
        guard try body() != nil else { throw Refusal(.itemNotFound) }
    }

    /// Closes each collection, and those that its items hold before it.
    private func close(_ session: Session) throws {
        var all: [any AnyCollection] = []
        try session.forEachCollection { all.append($0) }
        for collection in all.reversed() { try collection.close() }
    }

    /// Replaces an index as an editor does.
    private func edit(_ name: String, on fileSystem: any FileSystem) throws {
        let (index, temporary): (FileName, FileName) = ("notes.json", "notes.json~")
        let folder = try fileSystem.unlessMissing {
            try fileSystem.openFolder(at: "/store/shelf/\(name)")
        }
        guard let folder, let bytes = try fileSystem.readAll(index, in: folder) else {
            throw Refusal(.itemNotFound)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let file = try fileSystem.openFile(temporary, in: folder, for: .create(mode: 0o600))
        let note = #",\#n{"id":103,"title":"n"}\#n]"#
        let new = text.prefix { $0 != "]" }.trimmingSuffix(while: \.isWhitespace) + note
        try fileSystem.write(Array(new.utf8), to: file, at: 0)
        try fileSystem.sync(file)
        try fileSystem.rename(temporary, in: folder, to: index, in: folder, replacing: true)
        try fileSystem.sync(folder)
    }
}

extension Directory where Item == Photo {
    fileprivate func id(of name: String) throws -> UUID {
        try load()
        guard let photo = items.first(where: { $0.name == name }) else {
            throw Refusal(.itemNotFound)
        }
        return photo.id
    }

    fileprivate func replace(_ name: String, importing imported: String) throws {
        let stage = try makeStage()
        for name in [name, imported] { try stage.write(Tree.bytes(of: name), name: name) }
        let id = try id(of: name)
        try write(importing: stage) { draft, assets in
            try draft.update(id: id, file: assets[0]) { $0.replaceFile(by: assets[0]) }
            try draft.insert(Photo(assets[1]), at: 0, file: assets[1])
        }
    }
}

/// What steps do with collections of every type.
protocol AnyCollection {
    func checkpoint() throws
    func close() throws
    func repair() throws
    func verify() throws -> [Finding]
}

extension Directory: AnyCollection {
    func repair() throws { let _: [Repair] = try repair() }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
