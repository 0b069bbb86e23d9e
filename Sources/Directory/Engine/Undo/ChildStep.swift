import FileSystem

/// The step of a write in a collection inside an item.
struct ChildStep<Parent: Codable & Identifiable & Sendable>: Sendable where Parent.ID: Sendable {
    let isEmpty: Bool
    /// Undoes the step, in a draft of the collection that has the item.
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

/// The step of a transfer in the other collection.
struct PeerStep<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    let core: Core<Item>
    let step: UndoStep<Item>

    /// The core, or another one of the same collection if that was closed since.
    var openCore: Core<Item> {
        get throws {
            guard core.isClosed else { return core }
            return try Registry.shared.core(at: core.location.value, core.store)
        }
    }
}

extension Directory.Draft {
    /// Moves the items that `step` transferred to `other` back, with their folders and files.
    mutating func undoTransfer(_ step: UndoStep<Item>, from other: inout Self) {
        guard let stem = other.write?.place?.index.store.names.stem else { return }
        other.base.leaving = step.leaving
        other.base.moves = step.moves.map { $0.reversed(stem) }
        base.arriving.folders = Set(step.moves.filter(\.isFolder).map(\.name))
        base.arriving.files = step.moves.filter { !$0.isFolder }.map(\.name)
    }
}
