import Directory

/// One change of a store, which takes place as a whole or not at all.
package enum Step: Hashable, Sendable {
    case appendNote(Note, in: [Int])
    case updateNote(Note, in: [Int])
    case removeNote(Int, in: [Int])
    case importPhotos([String], into: [Int])
    case removePhotos([String], from: [Int])
    /// Gives a photograph the file `by`, and imports one more photograph.
    case replacePhoto(String, by: String, importing: String, at: Int, in: [Int])
    case transferPhotos([String], from: [Int], to: [Int])
    case appendBox(Box, on: Shelf)
    case renameBox(Int, to: String, on: Shelf)
    case removeBox(Int, from: Shelf)
    case transferBox(Int, from: Shelf, to: Shelf)
    /// Several changes of the boxes on one shelf, and of what is in them, in one commit.
    case write([Step], on: Shelf)
    /// A part of a write that refuses the write unless a box has the notes with these ids, or the photographs with
    /// these names, and no others.
    case expectNotes([Int], in: [Int])
    case expectPhotos([String], in: [Int])
    /// Moves the first item of a collection to the end.
    case moveFirst(Place)
    /// A person uses other programs.
    case byHand(ByHand)
    case checkpoint, close, repair, open
    /// Takes back the last change of this process.
    case undo(Place)
    /// Makes it again.
    case redo(Place)
    /// Brings back what the last change of this process has removed.
    case bringBack(String, in: Place)
    /// Copies the projects to ``Session/newCopy``.
    case copy
    /// Makes the projects those of ``Session/copy``, which has ``Tree/copied``; or adds them, and takes those of the
    /// copy in place of others.
    case restore, merge
}

extension Step {
    /// What this change makes of `tree`; nil if the model refuses it.
    package func applied(to tree: Tree) -> Tree? {
        var next = tree
        do {
            try apply(to: &next)
            return next
        } catch {
            return nil
        }
    }

    /// Makes the change in a model of the store.
    ///
    /// - Throws: ``Refusal``.
    package func apply(to tree: inout Tree) throws {
        switch self {
        case .appendNote, .updateNote, .removeNote: try applyToNotes(of: &tree)
        case .byHand(let change): try change.apply(to: &tree)
        case .importPhotos(let names, let path):
            try tree.change(path) { $0.photos += names.map { Photograph($0) } }
        case .removePhotos(let names, let path):
            try tree.change(path) { _ = try $0.removePhotos(names) }
        case .replacePhoto(let name, let file, let imported, let position, let path):
            try tree.change(path) { node in
                node.photos[try node.photos.index(of: name, \.name)].file = file
                guard position <= node.photos.count else { throw Refusal(.indexOutOfRange) }
                node.photos.insert(Photograph(imported), at: position)
            }
        case .transferPhotos(let names, let path, let newPath):
            _ = try tree[newPath]
            var moved: [Photograph] = []
            try tree.change(path) { moved = try $0.removePhotos(names) }
            try tree.change(newPath) { $0.photos += moved }
        case .appendBox, .renameBox, .removeBox, .transferBox, .write:
            try applyToBoxes(of: &tree)
        case .expectNotes(let ids, let path):
            guard try tree[path].notes.map(\.id) == ids else { throw Refusal(.itemNotFound) }
        case .expectPhotos(let names, let path):
            guard try tree[path].photos.map(\.name) == names else { throw Refusal(.itemNotFound) }
        case .moveFirst(.notes(let path)): try tree.changeNotes(in: path) { try $0.moveFirst() }
        case .moveFirst(.photos(let path)): try tree.change(path) { try $0.photos.moveFirst() }
        case .moveFirst(.boxes(let shelf)): try tree.change(shelf) { try $0.moveFirst() }
        case .checkpoint, .close, .repair, .open, .copy: break
        case .bringBack(_, let place): try tree.bringBack(in: place)
        case .restore: tree.projects = Tree.copied
        case .merge: try tree.projects.merge(Tree.copied)
        case .undo(let place): try tree.revert(in: place, isUndone: false)
        case .redo(let place): try tree.revert(in: place, isUndone: true)
        }
    }

    private func applyToNotes(of tree: inout Tree) throws {
        switch self {
        case .appendNote(let note, let path):
            try tree.changeNotes(in: path) { notes in
                guard !notes.contains(where: { $0.id == note.id }) else {
                    throw Refusal(.duplicateID)
                }
                notes.append(note)
            }
        case .updateNote(let note, let path):
            try tree.changeNotes(in: path) { $0[try $0.index(of: note.id, \.id)] = note }
        case .removeNote(let id, let path):
            try tree.changeNotes(in: path) { $0.remove(at: try $0.index(of: id, \.id)) }
        default: break
        }
    }

    private func applyToBoxes(of tree: inout Tree) throws {
        switch self {
        case .appendBox(let box, let shelf):
            try tree.change(shelf) { nodes in
                try nodes.checkName(of: box)
                nodes.append(Tree.Node(box))
            }
        case .renameBox(let id, let name, let shelf):
            try tree.change(shelf) { nodes in
                let index = try nodes.index(of: id, \.box.id)
                let box = Box(id: id, folderName: name)
                try nodes.filter { $0.box.id != id }.checkName(of: box)
                nodes[index].box = box
            }
        case .removeBox(let id, let shelf):
            try tree.change(shelf) { $0.remove(at: try $0.index(of: id, \.box.id)) }
        case .transferBox(let id, let shelf, let newShelf):
            let nodes = try tree[shelf]
            let node = nodes[try nodes.index(of: id, \.box.id)]
            try tree[newShelf].checkName(of: node.box)
            try tree.change(shelf) { $0.remove(at: try $0.index(of: id, \.box.id)) }
            try tree.change(newShelf) { $0.append(node) }
        case .write(let steps, let shelf):
            for step in steps { try step.applyWithoutNames(to: &tree) }
            // Names are judged at the end.
            let nodes = try tree[shelf]
            guard Set(nodes.map(\.box.folderName)).count == nodes.count else {
                throw Refusal(.nameTaken)
            }
        default: break
        }
    }

    /// Makes a change of boxes, whose names may be those of others.
    private func applyWithoutNames(to tree: inout Tree) throws {
        switch self {
        case .appendBox(let box, let shelf):
            try tree.change(shelf) { nodes in
                if nodes.contains(where: { $0.box.id == box.id }) { throw Refusal(.duplicateID) }
                nodes.append(Tree.Node(box))
            }
        case .renameBox(let id, let name, let shelf):
            try tree.change(shelf) { nodes in
                nodes[try nodes.index(of: id, \.box.id)].box = Box(id: id, folderName: name)
            }
        default: try apply(to: &tree)
        }
    }
}

extension Tree.Node {
    fileprivate mutating func removePhotos(_ names: [String]) throws -> [Photograph] {
        try names.map { photos.remove(at: try photos.index(of: $0, \.name)) }
    }
}

extension Array {
    fileprivate func index<ID: Equatable>(of id: ID, _ ids: KeyPath<Element, ID>) throws -> Int {
        guard let index = firstIndex(where: { $0[keyPath: ids] == id }) else {
            throw Refusal(.itemNotFound)
        }
        return index
    }

    fileprivate mutating func moveFirst() throws {
        guard !isEmpty else { throw Refusal(.itemNotFound) }
        append(removeFirst())
    }
}

extension [Tree.Node] {
    /// Checks that `box` can be one of these boxes as well.
    fileprivate func checkName(of box: Box) throws {
        let hasID = contains { $0.box.id == box.id }
        let hasName = contains { $0.box.folderName == box.folderName }
        guard hasID || hasName else { return }
        throw Refusal(hasID ? .duplicateID : .nameTaken, hasName ? .nameTaken : .duplicateID)
    }
}
