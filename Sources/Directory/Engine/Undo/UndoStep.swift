import FileSystem

/// One change of this process, and the data to undo it.
///
/// The two states share their common items with all other states, so a step needs about as much
/// memory as its changes. A class, so that handing it on costs one reference.
final class UndoStep: Sendable {
    let before: Snapshot
    let after: Snapshot
    let change: ElementChange
    let files: Files
    /// The steps of collections inside the items.
    let children: [ChildStep]
    /// The step of the collection with which items were exchanged; at most one.
    let peer: [PeerStep]

    /// The folders and files that the commit moved, added and removed.
    struct Files: Sendable {
        /// The moves that bring back the folders and files that the commit removed from disk.
        var kept: [Move] = []
        /// The path of the folder in the trash where they wait.
        var trash: FolderPath?
        /// Keeps that folder, unless the history does.
        var owner: KeptFolder?
        /// The contents of the folders that the commit put back or made; those of other new containers were empty.
        var contents: [FileName: FolderDigest] = [:]
        /// The files that the commit added.
        var added: [FileName: FileState] = [:]
        /// The items that were transferred to the other collection; their folders and files are in `moves`.
        var leaving: Set<ElementID> = []
        var moves: [Move] = []
    }

    /// The step from `before` to `after`; `change` is nil if it changes only collections inside the elements.
    init(
        from before: Snapshot, to after: Snapshot, _ change: ElementChange?, _ files: Files,
        _ children: [ChildStep], _ peer: [PeerStep]
    ) {
        self.before = before
        self.after = after
        self.change =
            change ?? ElementChange(from: before.elements, to: before.elements, by: .here)
        (self.files, self.children, self.peer) = (files, children, peer)
    }

    /// The fewest items whose removal makes both orders equal.
    var moved: Set<ElementID> { change.moved ?? [] }

    /// Whether both states are the same.
    var isEmpty: Bool {
        change.isEmpty && hasSameDamagedLines && children.isEmpty && peer.isEmpty
    }
}

extension UndoStep {
    /// The step of the present one of several changes; nil if it also moves folders or files, or makes collections.
    convenience init?(of draft: ElementDraft, from before: ElementDraft) {
        guard !draft.files.movesAny, draft.files.staged.given.isEmpty, draft.peers.isEmpty,
            draft.newChildren.isEmpty
        else { return nil }
        let change = draft.changeOfStep(from: before.elements)
        if change.movesOwned { return nil }
        var children: [ChildStep] = []
        for child in draft.presentChildren {
            guard let base = before.state(of: child),
                let step = UndoStep(of: child.draft, from: base)
            else { return nil }
            if step.isEmpty { continue }
            children.append(
                ChildStep(
                    id: child.id, name: child.name, type: type(of: child.draft.reader), step: step))
        }
        self.init(
            from: Snapshot(before.elements, damaged: before.damaged, names: LazyNames()),
            to: Snapshot(draft.elements, damaged: draft.damaged, names: LazyNames()),
            change, Files(), children, [])
    }

    /// Makes the inverse of the step in `draft`, which is the newest state.
    ///
    /// If the newest state is the state after the step, the result is the state before it, line by
    /// line.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if others changed the same items.
    func undo(in draft: inout ElementDraft) throws {
        try check(draft)
        undoAlone(in: &draft)
        for child in children { try child.undo(in: &draft) }
        for peer in peer {
            var other = try draft.openPeer(peer.openCore)
            try peer.step.undo(in: &other)
            draft.undoTransfer(self, from: &other)
            other.undoTransfer(peer.step, from: &draft)
            draft.peers = [other]
        }
    }

    /// Undoes the step in this collection, without those inside its elements.
    private func undoAlone(in draft: inout ElementDraft) {
        draft.remove(change.inserted)
        for id in change.updated {
            if let position = draft.elements.position(of: id), let element = before.elements[id] {
                draft.replace(at: position, with: element)
            }
        }
        place(in: &draft)
        if !hasSameDamagedLines {
            draft.damaged = before.damaged.map { line in
                var line = line
                line.predecessor = predecessor(of: line.predecessor, in: draft)
                return line
            }
        }
        if !draft.damaged.isEmpty { draft.placeDamagedLines() }
        draft.files.returning = Returning(
            moves: files.kept, expectedContents: files.contents, expectedFiles: files.added)
    }

    /// Whether the step left the damaged lines as they were.
    private var hasSameDamagedLines: Bool { before.damaged.isSame(as: after.damaged) }

    /// Checks that the changed elements are as the step left them.
    private func check(_ draft: ElementDraft) throws {
        for id in change.inserted + change.updated
        where draft.elements[id]?.line != after.elements[id]?.line {
            throw conflict(
                draft, "the item with id \(id.text) was changed since",
                "the item was changed or removed since")
        }
        for id in moved where !draft.elements.contains(id) {
            throw conflict(
                draft, "the item with id \(id.text) was removed since", "the item was removed since"
            )
        }
        for id in change.removed {
            // An element that cannot be read may have got the id since, for example by a newer version of the app.
            let isOfDamaged = hasSameDamagedLines && draft.damaged.contains { $0.id == id }
            guard draft.elements.contains(id) || isOfDamaged else { continue }
            throw conflict(
                draft, "an item with id \(id.text) was added since",
                "the item was added again since")
        }
        guard hasSameDamagedLines || after.damaged.isSame(as: draft.damaged) else {
            throw conflict(
                draft, "elements that are not items were changed since",
                "items that cannot be read were changed since")
        }
    }

    /// `words` is the reason for people.
    private func conflict(_ draft: ElementDraft, _ reason: String, _ words: String)
        -> DirectoryError
    {
        DirectoryError(
            .undoConflict, "undo or redo a change of", draft.url, reason,
            people: .init(reason: words))
    }

    /// Puts moved and removed elements behind those that they followed.
    ///
    /// It begins with the first one, so that the elements before each one are at their places already.
    private func place(in draft: inout ElementDraft) {
        let positions = moved.compactMap(draft.elements.position).sorted()
        let taken = draft.takeToMove(at: positions)
        let known = Dictionary(taken.map { ($0.id, $0) }) { first, _ in first }
        let places = (change.removed + moved).compactMap(before.elements.position).sorted()
        for place in places {
            let element = before.elements[place]
            let target = position(behind: place, in: draft)
            if let moved = known[element.id] {
                draft.insertAgain(moved, at: target)
            } else {
                draft.insert(element, at: target)
            }
        }
    }

    /// The position in `draft` behind the nearest element before `place` that `draft` has too.
    private func position(behind place: Int, in draft: ElementDraft) -> Int {
        for previous in (0..<place).reversed() {
            if let found = draft.elements.position(of: before.elements[previous].id) {
                return found + 1
            }
        }
        return 0
    }

    /// The nearest element at or before the one with `id` that `draft` has too; nil for the front.
    private func predecessor(of id: ElementID?, in draft: ElementDraft) -> ElementID? {
        guard let id, let place = before.elements.position(of: id) else { return nil }
        let position = position(behind: place + 1, in: draft)
        return position == 0 ? nil : draft.elements[position - 1].id
    }
}
