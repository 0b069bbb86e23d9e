import Directory

/// What one process changed last, so that it can take it back, or make it again.
package struct Taken: Hashable, Sendable {
    package let place: Place
    /// The store without what is not visible, before and after the change, or the undo of it.
    fileprivate let trees: [Tree]
    /// Whether it was taken back, and can be made again.
    package var isUndone = false
}

extension Step {
    /// The record of a change that turned `old` into `new`; nil if they are equal, because then there is
    /// nothing to undo.
    package func taken(from old: Tree, to new: Tree) -> Taken? {
        let (before, after) = (old.visible, new.visible)
        guard let place, before != after else { return nil }
        return Taken(place: place, trees: [before, after])
    }

    /// The collection whose undo takes this change back.
    package var place: Place? {
        switch self {
        case .appendNote(_, let path), .updateNote(_, let path), .removeNote(_, let path):
            .notes(path)
        case .importPhotos(_, let path), .removePhotos(_, let path),
            .replacePhoto(_, _, _, _, let path):
            .photos(path)
        case .appendBox(_, let shelf), .renameBox(_, _, let shelf), .removeBox(_, let shelf),
            .write(_, let shelf):
            .boxes(shelf)
        case .moveFirst(let place): place
        default: nil
        }
    }
}

extension Tree {
    /// Takes back what ``taken`` says of `place`, by ids, or makes it again if it is undone.
    mutating func revert(in place: Place, isUndone: Bool) throws {
        guard let taken, taken.place == place, taken.isUndone == isUndone else {
            throw Refusal(.itemNotFound)
        }
        let old = visible
        let (before, after) = (taken.trees[0], taken.trees[1])
        switch place {
        case .notes(let path):
            let (before, after) = (try before.notes(in: path), try after.notes(in: path))
            try changeNotes(in: path) { try $0.revert(before, after, by: \.id, \.self) }
        case .photos(let path):
            let (before, after) = (try before[path].photos, try after[path].photos)
            try change(path) { try $0.photos.revert(before, after, by: \.name, \.self) }
        case .boxes(let shelf):
            let (before, after) = (try before[shelf], try after[shelf])
            try change(shelf) { nodes in
                try nodes.revert(before, after)
                try nodes.checkNames()
            }
        }
        let new = visible
        self.taken =
            old == new ? nil : Taken(place: place, trees: [old, new], isUndone: !isUndone)
    }
}

extension Tree {
    /// Brings back what ``taken`` says was removed from `place`.
    mutating func bringBack(in place: Place) throws {
        guard let taken, taken.place == place else { throw Refusal(.itemNotFound) }
        let (before, after) = (taken.trees[0], taken.trees[1])
        switch place {
        case .notes(let path):
            let (before, after) = (try before.notes(in: path), try after.notes(in: path))
            try changeNotes(in: path) { try $0.bringBack(before, after, by: \.id) }
        case .photos(let path):
            let (before, after) = (try before[path].photos, try after[path].photos)
            try change(path) { try $0.photos.bringBack(before, after, by: \.name) }
        case .boxes(let shelf):
            let (before, after) = (try before[shelf], try after[shelf])
            try change(shelf) { nodes in
                try nodes.bringBack(before, after, by: \.box.id)
                try nodes.checkNames()
            }
        }
        self.taken = nil
    }
}

extension [Tree.Node] {
    func checkNames() throws {
        let names = map(\.box.folderName)
        guard Set(names).count == names.count else { throw Refusal(.nameTaken) }
    }

    /// Adds the boxes of `others`, each in the place of one with its id.
    mutating func merge(_ others: [Tree.Node]) throws {
        for other in others {
            if let index = firstIndex(where: { $0.box.id == other.box.id }) {
                self[index] = other
            } else {
                append(other)
            }
        }
        try checkNames()
    }

    /// Makes the inverse of the change that made `after` of `before`, and of what the boxes in both hold.
    fileprivate mutating func revert(_ before: [Tree.Node], _ after: [Tree.Node]) throws {
        try revert(before, after, by: \.box.id, \.box)
        for old in before {
            guard let new = after.first(where: { $0.box.id == old.box.id }),
                (old.notes, old.photos, old.parts) != (new.notes, new.photos, new.parts)
            else { continue }
            guard let index = firstIndex(where: { $0.box.id == old.box.id }) else {
                throw Refusal(.undoConflict)
            }
            try self[index].notes.revert(old.notes, new.notes, by: \.id, \.self)
            try self[index].photos.revert(old.photos, new.photos, by: \.name, \.self)
            try self[index].parts.revert(old.parts, new.parts)
        }
    }
}

extension Array where Element: Equatable {
    /// Inserts what the change from `before` to `after` removed, at the positions that it had.
    fileprivate mutating func bringBack<ID: Hashable>(
        _ before: [Element], _ after: [Element], by id: KeyPath<Element, ID>
    ) throws {
        func contains(_ elements: [Element], _ wanted: Element) -> Bool {
            elements.contains { $0[keyPath: id] == wanted[keyPath: id] }
        }
        for (position, element) in before.enumerated() where !contains(after, element) {
            guard !contains(self, element) else { throw Refusal(.duplicateID) }
            insert(element, at: Swift.min(position, count))
        }
    }

    /// Makes the inverse of the change that made `after` of `before`, which compares and restores
    /// `value` of each element.
    fileprivate mutating func revert<ID: Hashable, Value: Equatable>(
        _ before: [Element], _ after: [Element], by id: KeyPath<Element, ID>,
        _ value: WritableKeyPath<Element, Value>
    ) throws {
        func find(_ wanted: Element, in elements: [Element]) -> Int? {
            elements.firstIndex { $0[keyPath: id] == wanted[keyPath: id] }
        }
        for element in after {
            let (old, new) = (find(element, in: before), element[keyPath: value])
            if let old, before[old][keyPath: value] == new { continue }
            guard let index = find(element, in: self), self[index][keyPath: value] == new else {
                throw Refusal(.undoConflict)
            }
            if let old {
                self[index][keyPath: value] = before[old][keyPath: value]
            } else {
                // What others put into a box since is not removed with it.
                guard self[index] == element else { throw Refusal(.undoConflict) }
                remove(at: index)
            }
        }
        for (place, element) in before.enumerated() where find(element, in: after) == nil {
            guard find(element, in: self) == nil else { throw Refusal(.undoConflict) }
            let previous = before[..<place].compactMap { find($0, in: self) }.last
            insert(element, at: previous.map { $0 + 1 } ?? 0)
        }
    }
}
