import FileSystem
import Foundation

/// The change of a write in one collection, with those in the collections inside its elements, before anything is written.
struct PlannedWrite {
    private let core: Core
    private let index: LockedIndex
    private let request: CommitRequest
    /// The state before the write.
    private let before: Snapshot
    /// The part of this collection in the commit; nil if only collections inside its elements change.
    private let part: CommitPart?
    private let isHome: Bool
    /// The changes in collections inside elements; nil for one that is not locked, and so cannot be undone.
    private var children: [(child: ChildDraft, write: PlannedWrite?)] = []
    /// The change in the collection with which elements are exchanged; at most one.
    private var peers: [PlannedWrite?] = []
}

extension PlannedWrite {
    /// Plans to commit `draft` to the locked `index` of `core`, and adds the parts to `commit`.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken`, `assetMissing` or `undecodable`.
    init(
        _ draft: ElementDraft, of core: Core, _ request: CommitRequest, to index: LockedIndex,
        in commit: inout Commit, at place: Commit.Place
    ) throws {
        (self.core, self.index, self.request) = (core, index, request)
        before = index.snapshot
        if case .home = place { isHome = true } else { isHome = false }
        let number = commit.parts.count
        part = try commit.add(draft, to: index, request, core.live, at: place)
        if part == nil, request.durability == .durable { try index.makeDurable() }
        for child in draft.presentChildren {
            try add(child, in: &commit, at: place)
        }
        if part == nil {
            // The peer of a draft without changes has none either.
            peers = draft.peers.map { _ in nil }
            return
        }
        if !draft.exchange.isEmpty { commit.moves += draft.exchange.moves(of: number) }
        for peer in draft.peers { try add(peer, draft.moves, number, in: &commit) }
    }

    private mutating func add(
        _ child: ChildDraft, in commit: inout Commit, at place: Commit.Place
    ) throws {
        let folder = before.elements[child.id]?.folder?.name
        let paths = try folder.map { try part?.places(ofFolder: $0) ?? [$0.string] } ?? []
        let write = try child.draft.write?.place.map { core, index in
            try PlannedWrite(
                child.draft, of: core, request.forChildren, to: index, in: &commit,
                at: place.below(paths))
        }
        children.append((child, write))
    }

    /// Adds the change in `peer`, with which the part with `number` exchanges elements, and to which `moves` lead.
    private mutating func add(
        _ peer: ElementDraft, _ moves: [DraftMove], _ number: Int, in commit: inout Commit
    ) throws {
        guard let (core, index) = peer.write?.place else { return peers.append(nil) }
        let peerNumber = commit.parts.count
        peers.append(
            try PlannedWrite(
                peer, of: core, request.forChildren, to: index, in: &commit, at: .elsewhere))
        for move in moves {
            move.add(to: &commit.moves, from: number, to: peerNumber, index.store)
        }
        for move in peer.moves {
            move.add(to: &commit.moves, from: peerNumber, to: number, self.index.store)
        }
    }
}

extension PlannedWrite {
    /// Publishes the change, which is committed, and begins to remove the files that nobody needs any more.
    ///
    /// - Returns: The step that undoes it; nil if it cannot be undone, for example because files cannot be kept.
    func end() -> UndoStep? {
        if part != nil {
            core.publish(index)
            core.beginCheckpointIfLarge(index)
        }
        defer {
            if let transaction = part?.transaction { core.cleanUp(transaction, index.snapshot) }
        }
        let childSteps = children.map { child, write -> ChildStep? in
            write?.end().map {
                ChildStep(
                    id: child.id, name: child.name, type: type(of: child.draft.reader), step: $0)
            }
        }
        let peerSteps = peers.map { peer -> PeerStep? in
            peer.flatMap { peer in peer.end().map { PeerStep(core: peer.core, step: $0) } }
        }
        guard request.isUndoable, !childSteps.contains(where: { $0 == nil }),
            !peerSteps.contains(where: { $0 == nil })
        else { return nil }
        var step = try? step()
        step?.children = childSteps.compactMap { $0 }.filter { !$0.step.isEmpty }
        step?.peer = peerSteps.compactMap(\.self)
        return step
    }

    /// The step of this collection alone; it keeps the files that the commit removed from disk.
    private func step() throws -> UndoStep {
        var step = UndoStep(from: before, to: part?.next ?? before, part?.change)
        guard let part else { return step }
        step.contents = part.contents
        step.files = try part.transaction?.importedFiles ?? [:]
        (step.leaving, step.moves) = (part.draft.leaving, part.draft.moves)
        guard let transaction = part.transaction else { return step }
        if transaction.isPrepared, let removal = transaction.intent.removal {
            step.kept = KeptFiles(removal, in: transaction.name)
        } else if transaction.removesAny {
            // The history of a home keeps the files of all its steps in one folder, until it ends.
            let owner = isHome ? nil : try KeptFolder(of: core)
            (step.kept, step.trash) = try core.keepRemoved(
                by: transaction, part.next.names.value,
                in: owner?.name
                    ?? core.history.folder(orNew: try core.store.names.transactionFolder()))
            step.owner = owner
        }
        return step
    }
}

extension DraftMove {
    /// Adds the move from the participant `source` to `target`, whose index is `store`.
    fileprivate func add(
        to moves: inout [JointList.Move], from source: Int, to target: Int, _ store: IndexStore
    ) {
        moves.add(
            name, in: .init(participant: source, assets: assets), to: newName,
            in: .init(participant: target, assets: isFolder ? nil : store.names.stem))
    }

    /// The move back, in a collection whose assets are in the folder `stem`.
    func reversed(_ stem: FileName) -> Self {
        DraftMove(assets: isFolder ? nil : stem, name: newName, newName: name)
    }
}
