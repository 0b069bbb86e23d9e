import FileSystem
import Foundation

extension Core {
    /// Adds what `draft` changes in this collection, and in those that its items hold, to `tree`.
    ///
    /// `paths` are those at which the folder can be from that of the home; nil for the home itself.
    ///
    /// - Returns: What is to be called after the commit, with whether the change can be undone. It shows the change,
    ///   and returns the step that undoes it; nil if what it removed cannot be kept.
    func plan(
        _ draft: Directory<Item>.Draft, _ request: CommitRequest, to index: LockedIndex<Item>,
        _ tree: inout TreeCommit, at paths: [String]?
    ) throws -> (_ keeps: Bool) -> UndoStep<Item>? {
        let before = index.snapshot
        let commit = try IndexCommit(draft, to: index, request, live, number: tree.number)
        if let commit {
            tree.add(commit, at: paths ?? [""])
        } else if request.durability == .durable {
            try index.makeDurable()
        }
        let ends = try draft.presentChildren.map { child in
            let folder = before.items[id: child.id].flatMap(Ownership<Item>.folderName)
                .flatMap(FileName.init)
            let places = try folder.map { try commit?.places(ofFolder: $0) ?? [$0.string] } ?? []
            let inner = places.flatMap { place in
                paths?.map { "\($0)/\(place)" } ?? [place]
            }
            return try child.draft.plan(child, request.forChildren, &tree, at: inner)
        }
        return { [self] keeps in
            if commit != nil {
                publish(index)
                beginCheckpointIfLarge(index)
            }
            let children = ends.map { $0(keeps) }
            var step: UndoStep<Item>?
            if keeps, !children.contains(where: { $0 == nil }) {
                // If the files cannot be kept, the change cannot be undone.
                step = try? self.step(
                    draft, since: before, commit, children.compactMap(\.self), isHome: paths == nil)
            }
            if let transaction = commit?.transaction {
                cleanUp(transaction, index.snapshot.names.value)
            }
            return step
        }
    }

    /// The step that undoes `commit`, which keeps what the commit removed from disk.
    private func step(
        _ draft: Directory<Item>.Draft, since before: Snapshot, _ commit: IndexCommit<Item>?,
        _ children: [ChildStep<Item>], isHome: Bool
    ) throws -> UndoStep<Item> {
        var step = UndoStep(draft, from: before, to: commit?.next ?? before)
        step.contents = commit?.contents ?? [:]
        step.children = children.filter { !$0.isEmpty }
        if let transaction = commit?.transaction, let names = commit?.next.names.value,
            transaction.removesAny
        {
            // The history of a home keeps all of its steps together, until it ends.
            let owner = isHome ? nil : try KeptOwner(of: self)
            step.kept = try keepRemoved(
                by: transaction, names,
                in: owner?.name ?? history.folder(orNew: try store.names.transactionFolder()))
            step.owner = owner
        }
        return step
    }
}

/// A draft of any item type.
protocol AnyDraft {
    /// Whether there is anything in it.
    var isFilled: Bool { get }
    /// The staged files that items get, here and in the collections that items hold.
    var usedFiles: [StagedAsset] { get }
    /// Adds what it changes to `tree`, as the draft of `child`.
    func plan<Parent>(
        _ child: ChildDraft<Parent>, _ request: CommitRequest, _ tree: inout TreeCommit,
        at paths: [String]
    ) throws -> (_ keeps: Bool) -> ChildStep<Parent>?
    /// Makes the collection in `folder`, which nobody sees yet.
    func make(in folder: Handle, on fileSystem: any FileSystem, _ request: CommitRequest) throws
}

/// The draft of a collection that an item of another draft holds.
struct ChildDraft<Parent: Codable & Identifiable & Sendable> where Parent.ID: Sendable {
    let id: Parent.ID
    /// The name of the collection.
    let name: String
    var draft: any AnyDraft
}

extension Directory.Draft: AnyDraft {
    var isFilled: Bool { !items.isEmpty }

    var usedFiles: [StagedAsset] {
        stagedFiles.given.map(\.file)
            + (presentChildren + newChildren).flatMap(\.draft.usedFiles)
    }

    func plan<Parent>(
        _ child: ChildDraft<Parent>, _ request: CommitRequest, _ tree: inout TreeCommit,
        at paths: [String]
    ) throws -> (_ keeps: Bool) -> ChildStep<Parent>? {
        guard let (core, index) = write?.place else { return { _ in nil } }
        let end = try core.plan(self, request, to: index, &tree, at: paths)
        return { keeps in
            end(keeps).map { ChildStep(Child<Item>(child.name), of: child.id, $0) }
        }
    }

    func make(in folder: Handle, on fileSystem: any FileSystem, _ request: CommitRequest) throws {
        let names = try IndexNames(url.lastPathComponent, in: folder.url)
        let store = IndexStore(fileSystem: fileSystem, names: names, options: coding.options)
        let index = LockedIndex<Item>(
            try IndexFolder(store: store, handle: folder).lock(), coding)
        try withExtendedLifetime(index) {
            try index.refresh()
            let commit = try IndexCommit(
                self, to: index, request, LiveTransactions(),
                number: request.importing?.number ?? RandomName.digits())
            try commit?.run()
            try commit?.transaction?.cleanUp(keepingStage: false)
        }
    }
}
