import FileSystem

/// One commit of this process, and the data to undo it.
///
/// The two states share their common items with all other states, so a step needs about as much
/// memory as its changes.
struct UndoStep<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Snapshot = Directory<Item>.Snapshot
    typealias Draft = Directory<Item>.Draft

    let before: Snapshot
    let after: Snapshot
    let change: Directory<Item>.Change
    /// The fewest items whose removal makes both orders equal.
    let moved: Set<Item.ID>
    /// The files that the commit removed from disk; nil if there are none.
    var kept: KeptFiles?
    /// The folder in the trash that was made for these files.
    var trash: TrashFolder?
    /// Keeps that folder, unless the history does.
    var owner: KeptFolder?
    /// The contents of the folders that the commit put back or made; those of other new containers were empty.
    var contents: [FileName: FolderDigest] = [:]
    /// The files that the commit added.
    var files: [FileName: FileState] = [:]
    /// The steps of collections inside the items.
    var children: [ChildStep<Item>] = []
    /// The step of the collection with which items were exchanged; at most one.
    var peer: [PeerStep<Item>] = []
    /// The items that were transferred to that collection; their folders and files are in `moves`.
    var leaving: Set<Item.ID> = []
    var moves: [DraftMove] = []

    /// The step that `draft` made of `before`.
    init(_ draft: Draft, from before: Snapshot, to after: Snapshot) {
        self.before = before
        self.after = after
        change = Directory<Item>.Change(from: before.items, to: draft)
        moved = change.moved ?? []
    }

    /// Whether both states are the same.
    var isEmpty: Bool {
        change.isEmpty && before.hasDamagedLines(of: after) && children.isEmpty && peer.isEmpty
    }
}

extension UndoStep {
    /// Makes the inverse of the step in `draft`, which is the newest state.
    ///
    /// If the newest state is the state after the step, the result is the state before it, line by
    /// line.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if others changed the same items.
    func undo(in draft: inout Draft) throws {
        try check(draft)
        let keepsDamagedLines = before.hasDamagedLines(of: after)
        try draft.remove(ids: change.inserted)
        for id in change.updated {
            if let position = draft.items.index(of: id), let slot = before.items.slot(of: id) {
                draft.replace(at: position, with: slot)
            }
        }
        place(in: &draft)
        if !keepsDamagedLines {
            draft.damaged = before.damaged.map { line in
                var line = line
                line.predecessor = predecessor(of: line.predecessor, in: draft)
                return line
            }
        }
        if !draft.damaged.isEmpty { draft.placeDamagedLines() }
        draft.returning = Returning(
            kept: kept, expectedContents: contents, expectedFiles: files)
        for child in children { try child.undo(&draft) }
        for peer in peer {
            var other = try draft.openPeer(peer.openCore)
            try peer.step.undo(in: &other)
            draft.undoTransfer(self, from: &other)
            other.undoTransfer(peer.step, from: &draft)
            draft.peers = [other]
        }
    }

    /// Checks that the changed items are as the step left them.
    private func check(_ draft: Draft) throws {
        for id in change.inserted + change.updated
        where draft.items.slot(of: id)?.line != after.items.slot(of: id)?.line {
            throw conflict(
                draft, "the item with id \(id) was changed since",
                "the item was changed or removed since")
        }
        for id in moved where !draft.items.contains(id: id) {
            throw conflict(
                draft, "the item with id \(id) was removed since", "the item was removed since")
        }
        let keepsDamagedLines = before.hasDamagedLines(of: after)
        for id in change.removed {
            // An element that cannot be read may have got the id since, for example by a newer version of the app.
            let isOfElement = keepsDamagedLines && draft.damaged.contains { $0.id == id }
            guard draft.items.contains(id: id) || isOfElement else { continue }
            throw conflict(
                draft, "an item with id \(id) was added since", "the item was added again since")
        }
        guard keepsDamagedLines || after.hasDamagedLines(of: draft) else {
            throw conflict(
                draft, "elements that are not items were changed since",
                "items that cannot be read were changed since")
        }
    }

    /// `words` is the reason for people.
    private func conflict(_ draft: Draft, _ reason: String, _ words: String) -> DirectoryError {
        DirectoryError(
            .undoConflict, "undo or redo a change of", draft.url, reason,
            people: .init(reason: words))
    }

    /// Puts moved and removed items behind the items that they followed.
    ///
    /// It begins with the first item, so that the items before each one are at their places already.
    private func place(in draft: inout Draft) {
        let positions = moved.compactMap(draft.items.index(of:)).sorted()
        let taken = positions.reversed().map { draft.items.remove(at: $0) }
        let slots = Dictionary(taken.map { ($0.item.id, $0) }) { first, _ in first }
        draft.moved.formUnion(moved)
        let places = (change.removed + moved).compactMap(before.items.index(of:)).sorted()
        for place in places {
            let slot = before.items.slot(at: place)
            let target = position(behind: place, in: draft)
            if let moved = slots[slot.item.id] {
                draft.items.insert(moved, at: target)
            } else {
                draft.insert(slot, at: target)
            }
        }
    }

    /// The position in `draft` behind the nearest item before `place` that `draft` has too.
    private func position(behind place: Int, in draft: Draft) -> Int {
        for previous in (0..<place).reversed() {
            if let found = draft.items.index(of: before.items.slot(at: previous).item.id) {
                return found + 1
            }
        }
        return 0
    }

    /// The nearest item at or before the one with `id` that `draft` has too; nil for the front.
    private func predecessor(of id: Item.ID?, in draft: Draft) -> Item.ID? {
        guard let id, let place = before.items.index(of: id) else { return nil }
        let position = position(behind: place + 1, in: draft)
        return position == 0 ? nil : draft.items[position - 1].id
    }
}

extension Directory.Snapshot {
    /// Whether `other` has the same damaged lines at the same places.
    fileprivate func hasDamagedLines(of other: Self) -> Bool {
        damaged.isSame(as: other.damaged)
    }

    fileprivate func hasDamagedLines(of draft: Directory.Draft) -> Bool {
        damaged.isSame(as: draft.damaged)
    }
}

extension Array {
    fileprivate func isSame<Item>(as other: Self) -> Bool
    where Element == Directory<Item>.DamagedLine {
        elementsEqual(other) { $0.line == $1.line && $0.predecessor == $1.predecessor }
    }
}
