import FileSystem
import JSONCodec

/// The steps of a transfer, in their order.
extension Transfer {
    /// Makes an intent durable in the target, then in the source; from then on the transfer is
    /// under way.
    ///
    /// - Throws: ``Busy``, before it writes anything, if a folder is no longer where it was when it was
    ///   opened.
    func begin(_ plan: Intent.Transfer) throws {
        var plan = plan
        let (from, to) = try (source.folder.pathFromRoot(), target.folder.pathFromRoot())
        plan.target = peer(target, at: to, from: from)
        let toSource = Intent(transferSource: peer(source, at: from, from: to))
        try transaction(in: target, toSource).writeIntent()
        try transaction(in: source, Intent(transfer: plan)).writeIntent()
    }

    /// Moves the files that have not moved yet.
    func moveFiles(_ plan: Intent.Transfer) throws {
        try move(plan.folders, from: source.folder.handle, to: target.folder.handle, of: target)
        if !plan.files.isEmpty {
            let assets = try target.folder.openOrMake(target.store.names.stem)
            for name in source.store.assetFolders {
                if let old = try source.folder.openFolder(name) {
                    try move(plan.files, from: old, to: assets, of: target)
                }
            }
        }
    }

    /// Adds the items to the target that it does not have yet.
    func add(_ slots: [Slot]) throws {
        try target.refresh()
        var draft = target.draft
        try draft.append(slots.filter { draft[id: $0.item.id] == nil })
        try change(target, draft)
    }

    /// Removes the items from the source that it still has.
    func remove(_ slots: [Slot]) throws {
        try source.refresh()
        try change(source, removing(slots))
    }

    /// Reserves the space that ``remove(_:)`` needs, in a file whose name is returned.
    func reserveSpace(toRemove slots: [Slot]) throws -> FileName? {
        let draft = try removing(slots)
        return try source.reserveSpace(
            for: .init(items: draft.items, damaged: draft.damaged),
            Change(from: source.snapshot.items, to: draft), moved: draft.moved)
    }

    private func removing(_ slots: [Slot]) throws -> Draft {
        var draft = source.draft
        for slot in slots where draft[id: slot.item.id] != nil {
            try draft.remove(id: slot.item.id)
        }
        return draft
    }

    /// Removes both intents; that of the source durably, and first.
    ///
    /// An intent of the target alone means nothing, and is removed by the next process.
    func removeIntents() throws {
        try transaction(in: source, Intent()).removeDurably()
        try transaction(in: target, Intent()).cleanUp(keepingStage: false)
    }

    /// Whether the target has the items, so that the transfer has taken place.
    func isAdded(_ slots: [Slot]) -> Bool {
        slots.contains { target.snapshot.items.contains(id: $0.item.id) }
    }

    /// Undoes ``begin(_:)`` and ``moveFiles(_:)``; allowed only if the target does not have the
    /// items.
    ///
    /// What still has its name in the source has not moved. If the target has another file with
    /// that name, it stays.
    func undo(_ plan: Intent.Transfer) throws {
        let fileSystem = source.fileSystem
        let folders = try plan.folders.filter { name in
            try fileSystem.status(of: name, in: source.folder.handle) == nil
        }
        try move(folders, from: target.folder.handle, to: source.folder.handle, of: source)
        if let assets = try target.folder.openFolder(target.store.names.stem) {
            let files = try plan.files.filter { name in
                guard let kept = try source.folder.findAsset(name)?.status else { return true }
                return try fileSystem.status(of: name, in: assets)?.identity == kept.identity
            }
            try move(
                files, from: assets, to: source.folder.openOrMake(source.store.names.stem),
                of: source)
            try target.folder.removeAssetsFolderIfEmpty()
        }
        try removeIntents()
    }
}

extension Transfer {
    private func transaction(in side: LockedIndex<Item>, _ intent: Intent) throws -> Transaction {
        Transaction(
            folder: side.folder, name: try side.store.names.transactionFolder(transaction),
            intent: intent)
    }

    /// Moves the folders or files that are still in `old` and not yet in `new`, which is a folder of
    /// `side`, and syncs both.
    ///
    /// They get the data protection of that side before they move.
    ///
    /// Both are synced even if nothing is left to move: a process that has died may have moved all
    /// and synced nothing.
    private func move(
        _ names: [FileName], from old: Handle, to new: Handle, of side: LockedIndex<Item>
    ) throws {
        if names.isEmpty { return }
        let fileSystem = source.fileSystem
        for name in names {
            try side.folder.protectTree(name, in: old)
            do {
                try fileSystem.rename(name, in: old, to: name, in: new, replacing: false)
            } catch {
                guard let left = try fileSystem.status(of: name, in: old) else { continue }
                guard let taken = try fileSystem.status(of: name, in: new) else { throw error }
                // A power loss can leave a file in both folders.
                guard taken.identity == left.identity else { throw nameIsTaken(name) }
                try fileSystem.removeFile(name, in: old)
            }
        }
        try fileSystem.sync(new)
        try fileSystem.sync(old)
    }

    /// Commits `draft` to one of the two indexes.
    private func change(_ side: LockedIndex<Item>, _ draft: Draft) throws {
        let change = Change(from: side.snapshot.items, to: draft)
        // If the change was made before, its sync may have failed.
        guard !change.isEmpty else { return try side.renew() }
        let next = Directory<Item>.Snapshot(items: draft.items, damaged: draft.damaged)
        // The files have moved for good, so the items must not move back.
        try side.commit(next, change, moved: draft.moved, .durable)
    }

    /// How the index at `from` finds the other one, which is at `to`.
    private func peer(_ other: LockedIndex<Item>, at to: [Substring], from: [Substring])
        -> Intent.Peer
    {
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let path = from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared)
        return Intent.Peer(
            path: path.joined(separator: "/"), index: other.store.names.index.string)
    }
}
