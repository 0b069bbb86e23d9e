import FileSystem
import Foundation

extension Core {
    /// Adds the changes of `draft` to `tree`: those of this collection, and of the collections inside its items.
    ///
    /// - Returns: A function to call after the commit. It publishes the change, and returns the step that undoes it; nil
    ///   if it cannot be undone.
    func plan(
        _ draft: ElementDraft, _ request: CommitRequest, to index: LockedIndex,
        _ tree: inout TreeCommit, at place: TreeCommit.Place
    ) throws -> () -> UndoStep? {
        let before = index.snapshot
        let (presentChildren, peers) = (draft.presentChildren, draft.peers)
        let commit = try IndexCommit(draft, to: index, request, live, number: tree.number)
        let number = commit.map { tree.add($0, at: place) }
        if commit == nil, request.durability == .durable { try index.makeDurable() }
        var ends: [() -> ChildStep?] = []
        for child in presentChildren {
            let folder = before.elements[child.id]?.folder?.name
            let places = try folder.map { try commit?.places(ofFolder: $0) ?? [$0.string] } ?? []
            guard let (core, index) = child.draft.write?.place else {
                ends.append { nil }
                continue
            }
            let end = try core.plan(
                child.draft, request.forChildren, to: index, &tree, at: place.below(places))
            ends.append {
                end().map {
                    ChildStep(
                        id: child.id, name: child.name, type: type(of: child.draft.reader), step: $0
                    )
                }
            }
        }
        if let commit, let number, !commit.draft.exchange.isEmpty {
            tree.moves += commit.draft.exchange.moves(of: number)
        }
        let peer = try peers.first.map { peer in
            try plan(peer, movesThere: commit?.draft.moves ?? [], number, request, &tree)
        }
        return { [self, ends] in
            if commit != nil {
                publish(index)
                beginCheckpointIfLarge(index)
            }
            var children: [ChildStep?] = []
            for end in ends { children.append(end()) }
            let peerStep = peer.map { $0() }
            var step: UndoStep?
            if request.isUndoable, !children.contains(where: { $0 == nil }),
                peerStep.map({ $0 != nil }) != false
            {
                // If files cannot be kept, the change cannot be undone.
                step = try? self.step(since: before, commit, isHome: place.isHome)
                step?.children = children.compactMap(\.self).filter { !$0.step.isEmpty }
                step?.peer = peerStep?.map { [$0] } ?? []
            }
            if let transaction = commit?.transaction {
                cleanUp(transaction, index.snapshot)
            }
            return step
        }
    }

    /// Adds the changes of the draft `peer`, with which the part with `number` exchanges elements, and whose `movesThere`
    /// lead to it.
    private func plan(
        _ peer: ElementDraft, movesThere: [DraftMove], _ number: Int?,
        _ request: CommitRequest, _ tree: inout TreeCommit
    ) throws -> () -> PeerStep? {
        guard let (core, index) = peer.write?.place, let number else { return { nil } }
        let peerNumber = tree.count
        let end = try core.plan(peer, request.forChildren, to: index, &tree, at: .elsewhere)
        for move in movesThere {
            move.add(to: &tree.moves, from: number, to: peerNumber, index.store)
        }
        for move in peer.moves {
            move.add(to: &tree.moves, from: peerNumber, to: number, self.store)
        }
        return { end().map { PeerStep(core: core, step: $0) } }
    }

    /// The step that undoes `commit`; it keeps the files that the commit removed from disk.
    private func step(since before: Snapshot, _ commit: IndexCommit?, isHome: Bool) throws
        -> UndoStep
    {
        var step = UndoStep(from: before, to: commit?.next ?? before, commit?.change)
        guard let commit else { return step }
        step.contents = commit.contents
        step.files = try commit.transaction?.importedFiles ?? [:]
        (step.leaving, step.moves) = (commit.draft.leaving, commit.draft.moves)
        if let transaction = commit.transaction, transaction.isPrepared,
            let removal = transaction.intent.removal
        {
            step.kept = KeptFiles(removal, in: transaction.name)
        } else if let transaction = commit.transaction, transaction.removesAny {
            // The history of a home keeps the files of all its steps in one folder, until it ends.
            let owner = isHome ? nil : try KeptFolder(of: self)
            (step.kept, step.trash) = try keepRemoved(
                by: transaction, commit.next.names.value,
                in: owner?.name ?? history.folder(orNew: try store.names.transactionFolder()))
            step.owner = owner
        }
        return step
    }
}
