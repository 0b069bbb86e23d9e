import FileSystem

/// What takes back the part of a write that changed a collection of an item.
struct ChildStep<Parent: Codable & Identifiable & Sendable>: Sendable where Parent.ID: Sendable {
    let isEmpty: Bool
    /// Takes it back in a draft of the collection that has the item.
    let undo: @Sendable (inout Directory<Parent>.Draft) throws -> Void

    init<Item>(_ child: Child<Item>, of id: Parent.ID, _ step: UndoStep<Item>) {
        isEmpty = step.isEmpty
        undo = { draft in
            guard draft[id: id] != nil else {
                throw DirectoryError(
                    .undoConflict, "undo or redo a change of", draft.url,
                    "the item with id \(id), which has \(child.name), was removed since",
                    people: .init(reason: "the item was removed since"))
            }
            try draft.change(child, of: id) { try step.undo(in: &$0) }
        }
    }
}

/// What takes back the part of a transfer that changed the other collection.
struct PeerStep<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    let core: Core<Item>
    let step: UndoStep<Item>
}

extension Directory.Draft {
    /// Takes back the items that left with `step` for `other`, with what moved with them.
    mutating func takeBack(_ step: UndoStep<Item>, from other: inout Self) {
        guard let stem = other.write?.place?.index.store.names.stem else { return }
        other.leaving = step.leaving
        other.moves = step.moves.map { $0.reversed(stem) }
        arriving.folders = Set(step.moves.filter(\.isFolder).map(\.name))
        arriving.files = step.moves.filter { !$0.isFolder }.map(\.name)
    }
}

/// A folder in the trash with what one step keeps; it is removed when no step needs it any more.
final class KeptOwner: Sendable {
    let name: FileName
    private let remove: @Sendable () -> Void

    init<Item>(of core: Core<Item>) throws {
        let name = try core.store.names.transactionFolder()
        self.name = name
        remove = { [weak core] in
            guard let core else { return }
            core.background.begin { core.removeKept(name) }
        }
        LiveTransactions.keeping.insert(name)
    }

    deinit {
        // If the collection is not open, recovery removes the folder.
        LiveTransactions.keeping.remove(name)
        remove()
    }
}

/// What comes back with a commit that takes back a step.
struct Returning {
    /// The removed folders and files.
    var kept: KeptFiles?
    /// What must be in the folders that the commit removes.
    var expectedContents: [FileName: FolderDigest] = [:]
    /// What the files must be that the commit removes, if it is known.
    var expectedFiles: [FileName: FileState] = [:]
}
