import FileSystem
import JSONCodec

/// The steps of a transfer, in their order.
extension Transfer {
    /// Makes the intent durable in both folders; from then on the transfer takes place.
    func begin(_ plan: Intent.Transfer) throws {
        for (side, peer) in [(source, target), (target, source)] {
            var half = plan
            half.isSource = side === source
            half.peerPath = try relativePath(from: side, to: peer)
            half.peerIndex = peer.store.names.index.string
            try transaction(in: side, Intent(transfer: half)).prepare()
        }
    }

    /// Moves the files that have not moved yet.
    func moveFiles(_ plan: Intent.Transfer) throws {
        try move(plan.folders, from: source.folder.handle, to: target.folder.handle)
        if !plan.files.isEmpty {
            let assets = try target.folder.openOrMake(target.store.names.stem)
            for name in source.store.assetFolders {
                if let old = try source.folder.openFolder(name) {
                    try move(plan.files, from: old, to: assets)
                }
            }
        }
    }

    /// Adds the items to the target that it does not have yet.
    func add(_ plan: Intent.Transfer) throws {
        let items = try items(of: plan)
        try change(target) { draft in
            try draft.append(contentsOf: items.filter { draft[id: $0.id] == nil })
        }
    }

    /// Removes the items from the source that it still has.
    func remove(_ plan: Intent.Transfer) throws {
        let items = try items(of: plan)
        try change(source) { draft in
            for item in items where draft[id: item.id] != nil { try draft.remove(id: item.id) }
        }
    }

    /// Undoes ``begin(_:)`` and ``moveFiles(_:)``; allowed only before the target has the items.
    ///
    /// A file whose name is still in the source has not moved, even if the target has that name
    /// too.
    func rollBack(_ plan: Intent.Transfer) throws {
        let fileSystem = source.fileSystem
        let folders = try plan.folders.filter { name in
            try fileSystem.status(of: name, in: source.folder.handle) == nil
        }
        let files = try plan.files.filter { try source.folder.findAsset($0) == nil }
        try move(folders, from: target.folder.handle, to: source.folder.handle)
        if let assets = try target.folder.openFolder(target.store.names.stem) {
            try move(
                files, from: assets, to: source.folder.openOrMake(source.store.names.stem))
            try target.folder.removeAssetsFolderIfEmpty()
        }
        try removeIntents()
    }

    /// Removes both intents durably.
    func removeIntents() throws {
        for side in [source, target] { try transaction(in: side, Intent()).removeDurably() }
    }
}

extension Transfer {
    private func transaction(in side: LockedIndex<Item>, _ intent: Intent) throws -> Transaction {
        Transaction(
            folder: side.folder, name: try side.store.names.transactionFolder(transaction),
            intent: intent)
    }

    private func items(of plan: Intent.Transfer) throws -> [Item] {
        try plan.items.map { line in
            try LineDecoder.decode(
                Item.self, from: Array(line.utf8), with: source.store.options.decoder)
        }
    }

    /// Moves the folders or files that are still in `old` and not yet in `new`.
    private func move(_ names: [FileName], from old: Handle, to new: Handle) throws {
        let fileSystem = source.fileSystem
        var moved = false
        for name in names {
            guard let found = try fileSystem.status(of: name, in: old) else { continue }
            if try fileSystem.status(of: name, in: new)?.identity == found.identity {
                // A power loss can leave a file in both folders.
                try fileSystem.removeFile(name, in: old)
            } else {
                try fileSystem.rename(name, in: old, to: name, in: new, replacing: false)
            }
            moved = true
        }
        guard moved else { return }
        try fileSystem.sync(new)
        try fileSystem.sync(old)
    }

    /// Commits what `body` changes in one of the two indexes.
    private func change(
        _ side: LockedIndex<Item>, _ body: (inout Directory<Item>.Draft) throws -> Void
    ) throws {
        try side.refresh()
        var draft = side.draft
        try body(&draft)
        let change = Directory<Item>.Change(from: side.snapshot.items, to: draft)
        // If the change was made before, its sync may have failed.
        guard !change.isEmpty else { return try side.renew() }
        let next = Directory<Item>.Snapshot(
            items: draft.items, damaged: draft.damaged)
        // The files have moved for good, so the items must not move back.
        try side.commit(next, change, moved: draft.moved, .durable)
    }

    private func relativePath(from side: LockedIndex<Item>, to peer: LockedIndex<Item>) throws
        -> String
    {
        let fileSystem = source.fileSystem
        let from = try fileSystem.resolve(side.folder.handle.path).split(separator: "/")
        let to = try fileSystem.resolve(peer.folder.handle.path).split(separator: "/")
        let shared = zip(from, to).prefix { $0 == $1 }.count
        return (from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared))
            .joined(separator: "/")
    }
}
