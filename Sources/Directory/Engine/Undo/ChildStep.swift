import FileSystem

/// The step of a write in a collection inside an element.
struct ChildStep: Sendable {
    /// The id of the element.
    let id: ElementID
    /// The name of the collection, and the type that reads it.
    let name: String
    let type: any ElementReader.Type
    let step: UndoStep

    /// Undoes the step, in a draft of the collection that has the element.
    func undo(in draft: inout ElementDraft) throws {
        guard draft.elements.contains(id) else {
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", draft.url,
                "the item with id \(id.text), which has \(name), was removed since",
                people: .init(reason: "the item was removed since"))
        }
        try draft.change(name, type, of: id) { try step.undo(in: &$0) }
    }
}

/// The step of a transfer in the other collection.
struct PeerStep: Sendable {
    let core: Core
    let step: UndoStep

    /// The core, or another one of the same collection if that was closed since.
    var openCore: Core {
        get throws {
            guard core.isClosed else { return core }
            return try Registry.shared.core(
                at: core.location.value, core.store, type(of: core.reader))
        }
    }
}

extension ElementDraft {
    /// Moves the elements that `step` transferred to `other` back, with their folders and files.
    mutating func undoTransfer(_ step: UndoStep, from other: inout Self) {
        guard let stem = write?.place?.index.store.names.stem else { return }
        other.files.leaving = step.files.leaving
        for move in step.files.moves {
            let isFolder = move.to.hasContainers
            for (name, newName) in move.pairs {
                other.files.transfer(
                    newName, in: move.to.assets, to: name, in: isFolder ? nil : stem)
            }
            if isFolder {
                files.arriving.folders.formUnion(move.names)
            } else {
                files.arriving.files += move.names
            }
        }
    }
}
