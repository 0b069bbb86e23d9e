import Directory
import StoreModel

/// One change of a tree, which takes place as a whole or not at all.
enum Step: Hashable, Sendable {
    case appendNote(Int, in: [Int])
    case updateNote(Int, in: [Int])
    case removeNote(Int, in: [Int])
    case importPhotos([String], into: [Int])
    case removePhoto(String, from: [Int])
    /// Gives a photograph another file with the same bytes, and imports one more before all others.
    case replacePhoto(String, importing: String, in: [Int])
    case transferPhoto(String, from: [Int], to: [Int])
    case appendBox(Box, on: Shelf)
    case renameBox(Int, to: String)
    case removeBox(Int, from: Shelf)
    case transferBox(Int, from: Shelf, to: Shelf)
    /// Another program adds a note to the index in the folder of this name.
    case edit(folder: String)
    case checkpoint, close, repair, open
    /// Takes back the last change of this process.
    case undo(Shelf), undoPhotos(in: [Int])
    /// Makes it again.
    case redo(Shelf), redoPhotos(in: [Int])
}

extension Step {
    /// Makes the change in a model of the tree.
    ///
    /// - Throws: ``Refusal``.
    func apply(to tree: inout Tree) throws {
        switch self {
        case .appendNote(let id, let path):
            try tree.change(path) { node in
                guard !node.notes.contains(where: { $0.id == id }) else {
                    throw Refusal(.duplicateID)
                }
                node.notes.append(Note(id: id, title: "n"))
            }
        case .updateNote(let id, let path):
            try tree.change(path) { node in
                node.notes[try node.index(ofNote: id)].title = "u"
            }
        case .removeNote(let id, let path):
            try tree.change(path) { node in node.notes.remove(at: try node.index(ofNote: id)) }
        case .importPhotos(let names, let path):
            try tree.change(path) { $0.photos += names }
        case .removePhoto(let name, let path):
            try tree.change(path) { try $0.remove(photo: name) }
        case .replacePhoto(let name, let imported, let path):
            try tree.change(path) { node in
                _ = try node.index(ofPhoto: name)
                node.photos.insert(imported, at: 0)
            }
        case .transferPhoto(let name, let path, let newPath):
            _ = try tree.node(at: newPath)
            try tree.change(path) { try $0.remove(photo: name) }
            try tree.change(newPath) { $0.photos.append(name) }
        case .edit(let folder):
            let node = tree.projects.first { $0.box.folderName == folder && !$0.notes.isEmpty }
            guard let node else { throw Refusal(.itemNotFound) }
            try Step.appendNote(103, in: [node.box.id]).apply(to: &tree)
        case .appendBox, .renameBox, .removeBox, .transferBox: try applyToBoxes(of: &tree)
        case .checkpoint, .close, .repair, .open: break
        case .undo, .redo, .undoPhotos, .redoPhotos: try takeBack(in: &tree)
        }
    }

    private func applyToBoxes(of tree: inout Tree) throws {
        switch self {
        case .appendBox(let box, let shelf):
            try tree.change(shelf) { nodes in
                try nodes.checkName(of: box)
                nodes.append(Tree.Node(box: box))
            }
        case .renameBox(let id, let name):
            try tree.change(.projects) { nodes in
                let index = try nodes.index(of: id)
                try nodes.filter { $0.box.id != id }
                    .checkName(of: Box(id: id, folderName: name))
                nodes[index].box.folderName = name
            }
        case .removeBox(let id, let shelf):
            try tree.change(shelf) { nodes in nodes.remove(at: try nodes.index(of: id)) }
        case .transferBox(let id, let shelf, let newShelf):
            let nodes = try tree[shelf]
            let node = nodes[try nodes.index(of: id)]
            try tree[newShelf].checkName(of: node.box)
            try tree.change(shelf) { $0.remove(at: try $0.index(of: id)) }
            try tree.change(newShelf) { $0.append(node) }
        default: break
        }
    }
}

extension Tree.Node {
    fileprivate func index(ofNote id: Int) throws -> Int {
        guard let index = notes.firstIndex(where: { $0.id == id }) else {
            throw Refusal(.itemNotFound)
        }
        return index
    }

    fileprivate mutating func remove(photo name: String) throws {
        photos.remove(at: try index(ofPhoto: name))
    }

    fileprivate func index(ofPhoto name: String) throws -> Int {
        guard let index = photos.firstIndex(of: name) else { throw Refusal(.itemNotFound) }
        return index
    }
}

extension [Tree.Node] {
    fileprivate func index(of id: Int) throws -> Int {
        guard let index = firstIndex(where: { $0.box.id == id }) else {
            throw Refusal(.itemNotFound)
        }
        return index
    }

    /// Checks that `box` can be one of these containers as well.
    fileprivate func checkName(of box: Box) throws {
        let hasID = contains { $0.box.id == box.id }
        let hasName = contains { $0.box.folderName == box.folderName }
        guard hasID || hasName else { return }
        throw Refusal(hasID ? .duplicateID : .nameTaken, hasName ? .nameTaken : .duplicateID)
    }
}
