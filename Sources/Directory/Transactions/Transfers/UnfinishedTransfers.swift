import FileSystem

extension FolderHold {
    /// Gets the folders `names` ready to move: locks them, and ends the transfers inside that dead
    /// processes left.
    ///
    /// Both sides of a transfer find each other by their paths, so none may be unfinished when a
    /// folder above it moves. Other transactions move only with their folder.
    ///
    /// - Throws: ``Busy`` while another call relies on the place of one of the folders.
    mutating func takeToMove(_ names: [FileName], in folder: IndexFolder) throws {
        for name in names {
            if let inner = try takeToMove(name, in: folder.handle) {
                try endTransfers(below: inner, folder.store)
            }
        }
    }

    /// Gets the folders ready to move that recovery moves so that they are in line with an index that
    /// owns `names`, wherever they are now.
    ///
    /// What was removed for good stays in the trash, where it may be half deleted.
    mutating func takeToMove(
        _ transaction: Transaction, _ names: OwnedNames<some Hashable & Sendable>
    ) throws {
        let folder = transaction.folder
        let renamed = transaction.intent.renamedFolders.flatMap { [$0.from, $0.to] }
        let returning = transaction.intent.removedFolders.filter(names.folders.owns)
        if renamed.isEmpty && returning.isEmpty { return }
        try keepInPlace(folder.handle)
        try takeToMove(renamed, in: folder)
        if let trash = try folder.openFolder(transaction.name, in: IndexNames.trash) {
            try takeToMove(returning, in: IndexFolder(store: folder.store, handle: trash))
        }
    }

    /// Ends the transfers in `folder` and in the containers inside it, durably.
    ///
    /// A process may have died before it synced that it removed an intent. If that came back where
    /// the folder is then, it would not find the other side.
    private func endTransfers(below folder: Handle, _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        let names = Set(try fileSystem.list(folder))
        for name in names where name == IndexNames.staging || !name.isHidden {
            guard try fileSystem.status(of: name, in: folder)?.kind == .folder else { continue }
            if name == IndexNames.staging {
                try endTransfers(in: folder, store)
            } else if FileName("\(name).json").map(names.contains) != true {
                // What is not an assets folder can be that of a container.
                if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                    try endTransfers(below: inner, store)
                }
            }
        }
        if names.contains(where: { $0.string.hasSuffix(".lock") }) { try fileSystem.sync(folder) }
    }

    /// Ends the transfers of the indexes in `folder`, whose types are not known.
    ///
    /// - Throws: ``UnreachablePeer``, after all others, if one of them cannot be ended.
    func endTransfers(in folder: Handle, _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        var unreachable: UnreachablePeer?
        guard let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder)
        else { return }
        for name in try fileSystem.unlessMissing({ try fileSystem.list(staging) }) ?? [] {
            guard let names = IndexNames(ofTransaction: name, in: folder.url) else { continue }
            var options = store.options
            (options.encoder, options.decoder) = (nil, nil)
            let index = IndexFolder(
                store: IndexStore(fileSystem: fileSystem, names: names, options: options),
                handle: folder)
            guard let intent = try index.intent(of: name) else {
                try Transaction(folder: index, name: name, intent: Intent()).makeDurable()
                continue
            }
            if intent.peer == nil { continue }
            guard let lock = try index.tryLock() else { throw Busy(error: index.lockIsTaken) }
            let locked = LockedIndex<UntypedItem>(
                lock, ItemCoding(options, url: index.indexURL))
            let transfer = Transaction(folder: index, name: name, intent: intent)
            try withExtendedLifetime(locked) {
                do {
                    try locked.refresh()
                    try locked.endTransfer(transfer, self)
                } catch let peer as UnreachablePeer {
                    unreachable = peer
                }
            }
        }
        try fileSystem.sync(staging)
        if let unreachable { throw unreachable }
    }
}

extension DirectoryError {
    /// Whether the files of an index cannot be read as one.
    fileprivate var isDamage: Bool {
        [.damagedIndex, .journalDamaged, .indexConflict].contains(code)
    }
}

extension LockedIndex {
    /// Ends a transfer that a dead process left, with the other index locked as well.
    ///
    /// `hold` has what the caller keeps in place or moves already.
    ///
    /// - Throws: ``Busy`` while others have what is needed; ``UnreachablePeer`` if the other index
    ///   cannot be read, or if this one is the source and the target is not where the intent says.
    func endTransfer(_ transaction: Transaction, _ hold: FolderHold) throws {
        let intent = transaction.intent
        let isSource = intent.transfer != nil
        guard let path = intent.peer, let peer = try folder.open(path) else {
            return try removeUnlessSource(transaction)
        }
        let id = IndexNames.transaction(of: transaction.name)
        let name = try peer.names.transactionFolder(id)
        let half = try peer.intent(of: name)
        guard let half, let plan = isSource ? intent.transfer : half.transfer, half.peer != nil
        else {
            // If the source's intent came back after a power loss, it would not find this one.
            try Transaction(folder: peer, name: name, intent: Intent()).makeDurable()
            return try removeUnlessSource(transaction)
        }
        guard let lock = try peer.tryLock() else { throw Busy(error: peer.lockIsTaken) }
        let other = LockedIndex(lock, ItemCoding(peer.options, url: peer.indexURL))
        try withExtendedLifetime(other) {
            do {
                try other.refresh()
            } catch let error as DirectoryError where error.isDamage {
                throw UnreachablePeer(error: error, isMissing: false)
            }
            let transfer = Transfer(
                source: isSource ? self : other, target: isSource ? other : self, transaction: id)
            var hold = hold
            try hold.keepInPlace(of: transfer, moving: plan.folders)
            try withExtendedLifetime(hold) {
                for side in [transaction, Transaction(folder: peer, name: name, intent: half)] {
                    try side.makeDurable()
                }
                try transfer.end(plan)
            }
        }
    }

    /// Removes the intent of a target whose source has none: nothing has moved, or all is done.
    ///
    /// A process that moves the source's folder ends the transfer first. So if the source is not
    /// found, it has no intent either.
    ///
    /// - Throws: ``UnreachablePeer`` if this is the source.
    private func removeUnlessSource(_ transaction: Transaction) throws {
        if let plan = transaction.intent.transfer {
            throw UnreachablePeer(error: targetIsMissing(plan.target), isMissing: true)
        }
        try transaction.cleanUp(keepingStage: false)
    }

    private func targetIsMissing(_ target: Intent.Peer) -> DirectoryError {
        DirectoryError(
            .unfinishedTransfer, "end a transfer to", folder.url(of: target),
            "a process died during the transfer, and the collection is not there any more")
    }
}
