import Directory
import StoreModel

/// What one process changed last, so that it can take it back.
enum Taken: Hashable, Sendable {
    /// The containers of a shelf before and after the change.
    case boxes([Tree.Node], [Tree.Node])
    /// The photographs of a container before and after the change, and the one whose file it replaced.
    case photos([String], [String], replaced: String? = nil)
}

extension Step {
    /// What the model remembers when it makes this change of `old`, which `new` comes of; nil if
    /// nothing changed, because that is no step of an undo.
    func taken(from old: Tree, to new: Tree) -> Taken? {
        switch self {
        case .appendBox(_, let shelf), .removeBox(_, let shelf):
            guard let before = try? old[shelf], let after = try? new[shelf] else { return nil }
            return before == after ? nil : .boxes(before, after)
        case .renameBox:
            return old.projects == new.projects ? nil : .boxes(old.projects, new.projects)
        case .removePhoto(_, let path), .importPhotos(_, let path), .replacePhoto(_, _, let path):
            guard let before = try? old.node(at: path), let after = try? new.node(at: path)
            else { return nil }
            var replaced: String?
            if case .replacePhoto(let name, _, _) = self { replaced = name }
            return .photos(before.photos, after.photos, replaced: replaced)
        default: return nil
        }
    }

    /// Takes back what `tree.taken` says, by ids.
    func takeBack(in tree: inout Tree) throws {
        switch (self, tree.taken) {
        case (.undo(let shelf), .boxes(let before, let after)?),
            (.redo(let shelf), .boxes(let before, let after)?):
            let old = try tree[shelf]
            try tree.change(shelf) { nodes in
                try nodes.takeBack(before, after, by: \.box.id) {
                    $0.box == $1.box
                } update: {
                    $0.box = $1.box
                }
                let names = nodes.map(\.box.folderName)
                guard Set(names).count == names.count else { throw Refusal(.undoConflict) }
            }
            let new = try tree[shelf]
            tree.taken = old == new ? nil : .boxes(old, new)
        case (.undoPhotos(let path), .photos(let before, let after, let replaced)?),
            (.redoPhotos(let path), .photos(let before, let after, let replaced)?):
            let old = try tree.node(at: path).photos
            try tree.change(path) { node in
                if let replaced, !node.photos.contains(replaced) { throw Refusal(.undoConflict) }
                try node.photos.takeBack(before, after, by: \.self, ==) { $0 = $1 }
            }
            tree.taken = .photos(old, try tree.node(at: path).photos, replaced: replaced)
        default: throw Refusal(.itemNotFound)
        }
    }
}

extension Array {
    /// Makes the inverse of the change that made `after` of `before`.
    fileprivate mutating func takeBack<ID: Hashable>(
        _ before: [Element], _ after: [Element], by id: (Element) -> ID,
        _ isSame: (Element, Element) -> Bool, update: (inout Element, Element) -> Void
    ) throws {
        func find(_ wanted: ID, in elements: [Element]) -> Int? {
            elements.firstIndex { id($0) == wanted }
        }
        for element in after {
            let old = find(id(element), in: before).map { before[$0] }
            if let old, isSame(old, element) { continue }
            guard let index = find(id(element), in: self), isSame(self[index], element) else {
                throw Refusal(.undoConflict)
            }
            if let old { update(&self[index], old) } else { remove(at: index) }
        }
        for (place, element) in before.enumerated() where find(id(element), in: after) == nil {
            guard find(id(element), in: self) == nil else { throw Refusal(.undoConflict) }
            let previous = before[..<place].last { find(id($0), in: self) != nil }
                .flatMap { find(id($0), in: self) }
            insert(element, at: previous.map { $0 + 1 } ?? 0)
        }
    }
}
