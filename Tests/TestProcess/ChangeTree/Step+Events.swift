import StoreModel

extension Step {
    /// What the log says of this change.
    var events: [String] {
        switch self {
        case .appendNote(let note, let path): ["add \(path.name) n\(note.id)"]
        case .updateNote(let note, let path): ["update \(path.name) n\(note.id)"]
        case .removeNote(let id, let path): ["remove \(path.name) n\(id)"]
        case .importPhotos(let names, let path):
            ["add \(path.name) \(names.joined(separator: " "))"]
        case .removePhotos(let names, let path):
            ["remove \(path.name) \(names.joined(separator: " "))"]
        case .transferPhotos(let names, let path, let newPath):
            ["move \(path.name) \(newPath.name) \(names.joined(separator: " "))"]
        case .appendBox(let box, let shelf):
            ["add \(shelf.name) c\(box.id)", "call c\(box.id) \(box.folderName)"]
        case .renameBox(let id, let name, _): ["call c\(id) \(name)"]
        case .removeBox(let id, let shelf): ["remove \(shelf.name) c\(id)"]
        case .transferBox(let id, let shelf, let newShelf):
            ["move \(shelf.name) \(newShelf.name) c\(id)"]
        case .write(let steps, _): steps.flatMap(\.events)
        default: ["\(self)"]
        }
    }
}

extension [Int] {
    /// The name in the log of the box at this path.
    var name: String { last.map { "c\($0)" } ?? "root" }
}

extension Shelf {
    /// The name in the log of the box that has this shelf.
    fileprivate var name: String {
        if case .parts(let path) = self { path.name } else { "root" }
    }
}
