import FileSystem
import Foundation

extension Core {
    /// Adds the changes of `draft` to `tree`: those of this collection, and of the collections inside its items.
    ///
    /// - Returns: A function to call after the commit. It publishes the change, and returns the step that undoes it; nil
    ///   if it cannot be undone.
    func plan(
        _ draft: Directory<Item>.Draft, _ request: CommitRequest, to index: LockedIndex,
        _ tree: inout TreeCommit, at place: TreeCommit.Place
    ) throws -> () -> UndoStep<Item>? {
        let before = index.snapshot
        let commit = try IndexCommit(
            draft.base, with: draft.collectionsInNewItems, to: index, request, live,
            number: tree.number)
        let number = commit.map { tree.add($0, at: place) }
        if commit == nil, request.durability == .durable { try index.makeDurable() }
        var ends: [() -> ChildStep<Item>?] = .init()
        for child in draft.presentChildren {
            let container = Directory<Item>.Items(before.elements).element(of: child.id)
            let folder = container?.folder?.name
            let places = try folder.map { try commit?.places(ofFolder: $0) ?? [$0.string] } ?? []
            ends.append(
                try child.draft.plan(child, request.forChildren, &tree, at: place.below(places)))
        }
        if let number, !draft.base.exchange.isEmpty {
            tree.moves += draft.base.exchange.moves(of: number)
        }
        let peer = try draft.peers.first.map { peer in
            try plan(peer, of: draft, number, request, &tree)
        }
        return { [self, ends] in
            if commit != nil {
                publish(index)
                beginCheckpointIfLarge(index)
            }
            var children: [ChildStep<Item>?] = .init()
            for end in ends { children.append(end()) }
            let peerStep = peer.map { $0() }
            var step: UndoStep<Item>?
            if request.isUndoable, !children.contains(where: { $0 == nil }),
                peerStep.map({ $0 != nil }) != false
            {
                // If files cannot be kept, the change cannot be undone.
                step = try? self.step(draft, since: before, commit, isHome: place.isHome)
                step?.children = children.compactMap(\.self).filter { !$0.isEmpty }
                step?.peer = peerStep?.map { [$0] } ?? []
            }
            if let transaction = commit?.transaction {
                cleanUp(transaction, index.snapshot)
            }
            return step
        }
    }

    /// Adds the changes of the draft `peer`, with which `draft` exchanges items.
    private func plan(
        _ peer: Directory<Item>.Draft, of draft: Directory<Item>.Draft, _ number: Int?,
        _ request: CommitRequest, _ tree: inout TreeCommit
    ) throws -> () -> PeerStep<Item>? {
        guard let (core, index) = peer.write?.place, let number else { return { nil } }
        let peerNumber = tree.count
        let end = try core.plan(peer, request.forChildren, to: index, &tree, at: .elsewhere)
        for move in draft.base.moves {
            move.add(to: &tree.moves, from: number, to: peerNumber, index.store)
        }
        for move in peer.base.moves {
            move.add(to: &tree.moves, from: peerNumber, to: number, self.store)
        }
        return { end().map { PeerStep(core: core, step: $0) } }
    }

    /// The step that undoes `commit`; it keeps the files that the commit removed from disk.
    private func step(
        _ draft: Directory<Item>.Draft, since before: Snapshot, _ commit: IndexCommit?,
        isHome: Bool
    ) throws -> UndoStep<Item> {
        var step = UndoStep(draft, from: before, to: commit?.next ?? before)
        step.contents = commit?.contents ?? [:]
        step.files = try commit?.transaction?.importedFiles ?? [:]
        (step.leaving, step.moves) = (draft.base.leaving, draft.base.moves)
        if let transaction = commit?.transaction, transaction.isPrepared,
            let removal = transaction.intent.removal
        {
            step.kept = KeptFiles(removal, in: transaction.name)
        } else if let transaction = commit?.transaction, let names = commit?.next.names.value,
            transaction.removesAny
        {
            // The history of a home keeps the files of all its steps in one folder, until it ends.
            let owner = isHome ? nil : try KeptFolder(of: self)
            (step.kept, step.trash) = try keepRemoved(
                by: transaction, names,
                in: owner?.name ?? history.folder(orNew: try store.names.transactionFolder()))
            step.owner = owner
        }
        return step
    }
}

/// A draft of any item type.
protocol AnyDraft {
    /// Whether the draft has items.
    var isFilled: Bool { get }
    /// The staged files that items get, in this collection and in the collections inside its items.
    var usedFiles: [StagedAsset] { get }
    /// Adds the items that it removes and adds; with `isGone`, its container is removed.
    func add(to changes: inout RemovedAndAdded, isGone: Bool) throws
    /// Adds its changes to `tree`, as the draft of `child`.
    func plan<Parent>(
        _ child: ChildDraft<Parent>, _ request: CommitRequest, _ tree: inout TreeCommit,
        at place: TreeCommit.Place
    ) throws -> () -> ChildStep<Parent>?
    /// Makes the collection in `folder`, which no reader can see yet.
    func make(in folder: Handle, on fileSystem: any FileSystem, _ request: CommitRequest) throws
}

/// The draft of a collection inside an item of another draft.
struct ChildDraft<Parent: Codable & Identifiable & Sendable> where Parent.ID: Sendable {
    let id: Parent.ID
    /// The name of the collection.
    let name: String
    var draft: any AnyDraft
}

extension Directory.Draft: AnyDraft {
    var isFilled: Bool { !items.isEmpty }

    var usedFiles: [StagedAsset] {
        base.stagedFiles.given.map(\.file)
            + (presentChildren + newChildren).flatMap(\.draft.usedFiles)
    }

    func add(to changes: inout RemovedAndAdded, isGone: Bool) throws {
        try changes.add(base, in: write?.place?.index, isGone: isGone)
        for child in children {
            try child.draft.add(to: &changes, isGone: isGone || !items.contains(id: child.id))
        }
        for peer in peers { try peer.add(to: &changes, isGone: false) }
    }

    func plan<Parent>(
        _ child: ChildDraft<Parent>, _ request: CommitRequest, _ tree: inout TreeCommit,
        at place: TreeCommit.Place
    ) throws -> () -> ChildStep<Parent>? {
        guard let (core, index) = write?.place else { return { nil } }
        let end = try core.plan(self, request, to: index, &tree, at: place)
        return { end().map { ChildStep(Child<Item>(child.name), of: child.id, $0) } }
    }

    func make(in folder: Handle, on fileSystem: any FileSystem, _ request: CommitRequest) throws {
        let names = try IndexNames(url.lastPathComponent, in: folder.url)
        let store = IndexStore(fileSystem: fileSystem, names: names, options: coding.options)
        let index = LockedIndex(
            try IndexFolder(store: store, handle: folder).lock(), coding)
        try withExtendedLifetime(index) {
            try index.refresh()
            try IndexCommit(
                base, with: collectionsInNewItems, to: index, request, LiveTransactions(),
                number: request.importing?.number ?? RandomName.digits()
            )?.runUnseen()
        }
    }
}
