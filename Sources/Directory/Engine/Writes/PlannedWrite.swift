import FileSystem
import Foundation

/// The change of a write in one collection, with those in the collections inside its elements, before anything is written.
///
/// A class, because copies of all these properties take long.
final class PlannedWrite {
    private let core: Core
    private let index: LockedIndex
    private let request: CommitRequest
    /// The part of this collection in the commit; nil if only collections inside its elements change.
    private let part: CommitPart?
    private let isHome: Bool
    /// The changes in collections inside elements; nil for one that is not locked, and so cannot be undone.
    private var children: [(child: ChildDraft, write: PlannedWrite?)] = []
    /// The change in the collection with which elements are exchanged; at most one.
    private var peers: [PlannedWrite?] = []

    /// Plans to commit `draft` to the locked `index` of `core`, and adds the parts to `commit`.
    ///
    /// `other` is the number of the part with which the collection exchanges elements, if that was added before.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken`, `assetMissing` or `undecodable`.
    init(
        _ draft: consuming ElementDraft, of core: Core, _ request: CommitRequest,
        to index: LockedIndex,
        in commit: inout Commit, at place: Commit.Place, exchangingWith other: Int? = nil
    ) throws {
        (self.core, self.index, self.request) = (core, index, request)
        if case .home = place { isHome = true } else { isHome = false }
        let number = commit.parts.count
        let (present, peers, moves) = (draft.presentChildren, draft.peers, draft.files.moves)
        part = try commit.add(consume draft, to: index, request, core.live, at: place)
        if part == nil, request.durability == .durable { try index.makeDurable() }
        for child in present {
            try add(child, in: &commit, at: place)
        }
        if part == nil {
            // The peer of a draft without changes has none either.
            self.peers = peers.map { _ in nil }
            return
        }
        // A collection with which this one exchanges elements is the next part.
        if !moves.isEmpty {
            commit.moves += moves.numbered(from: number, to: other ?? commit.parts.count)
        }
        for peer in peers { try add(peer, of: number, in: &commit) }
    }
}

extension PlannedWrite {
    /// The state before the write.
    private var before: Snapshot { part?.before ?? index.snapshot }

    private func add(
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

    /// Adds the change in `peer`, with which this collection, the part with `number`, exchanges elements.
    private func add(
        _ peer: ElementDraft, of number: Int, in commit: inout Commit
    ) throws {
        guard let (core, index) = peer.write?.place else { return peers.append(nil) }
        peers.append(
            try PlannedWrite(
                peer, of: core, request.forChildren, to: index, in: &commit, at: .elsewhere,
                exchangingWith: number))
    }
}

extension PlannedWrite {
    /// Publishes the change, which is committed, and begins to remove the files that nobody needs any more.
    ///
    /// - Returns: The step that undoes it; nil if it cannot be undone, for example because files cannot be kept.
    func end() -> UndoStep? {
        if part != nil { core.publish(index) }
        defer {
            // Asked first, because a copy of the optional takes long even if it is nil.
            if part?.movesFiles == true, let transaction = part?.transaction {
                core.cleanUp(transaction, index.snapshot)
            }
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
        guard let files = try? keepRemovedFiles() else { return nil }
        return UndoStep(
            from: before, to: part?.next ?? before, part?.change, files,
            childSteps.compactMap { $0 }.filter { !$0.step.isEmpty }, peerSteps.compactMap(\.self))
    }

    /// Keeps the files that the commit removed from disk, and returns what an undo needs of all folders and files.
    private func keepRemovedFiles() throws -> UndoStep.Files {
        var files = UndoStep.Files()
        guard let part else { return files }
        files.contents = part.contents
        files.added = try part.transaction?.importedFiles ?? [:]
        (files.leaving, files.moves) = (part.draft.files.leaving, part.draft.files.transferred)
        guard let transaction = part.transaction else { return files }
        if transaction.isPrepared, let removal = transaction.intent.removal {
            files.kept = [Move](removal, in: transaction.name, to: index.store.names.stem)
        } else if transaction.removesAny {
            // The history of a home keeps the files of all its steps in one folder, until it ends.
            let owner = isHome ? nil : try KeptFolder(of: core)
            (files.kept, files.trash) = try core.keepRemoved(
                by: transaction, part.next.names.value,
                in: owner?.name
                    ?? core.history.folder(orNew: try core.store.names.transactionFolder()))
            files.owner = owner
        }
        return files
    }
}
