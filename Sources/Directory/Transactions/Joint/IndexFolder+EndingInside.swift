import FileSystem

extension FolderHold {
    /// Locks the folders `names`, which are about to move, and ends the writes to several collections that dead
    /// processes left inside.
    ///
    /// The participants of such a write find each other by their paths, so none may be unfinished when a folder above
    /// it moves. Other transactions can move with their folder.
    ///
    /// - Throws: ``Busy`` while another call relies on the place of one of the folders.
    mutating func takeToMove(_ names: [FileName], in folder: IndexFolder) throws {
        // Each lock keeps a file open, of which some systems allow a process only 256.
        let areMany = names.count > 32
        if areMany { try lockAll(in: folder.handle) }
        for name in names {
            let inner =
                try areMany
                ? tryLockToMove(name, in: folder.handle) : lockToMove(name, in: folder.handle)
            if let inner { try endJointWrites(below: inner, folder.store) }
        }
    }

    /// Locks the folders that recovery may move for `transaction`, wherever they are now.
    mutating func takeToMove(_ transaction: Transaction) throws {
        let folder = transaction.folder
        let intent = transaction.intent
        if intent.folders.isEmpty { return }
        try keepInPlace(folder.handle)
        let renamed = intent.folders.filter { !$0.isParked }
        try takeToMove(renamed.flatMap { [$0.from, $0.to].compactMap(\.self) }, in: folder)
        let slots = try intent.parked.map(\.slot)
        if !slots.isEmpty,
            let own = try folder.openFolder(transaction.name, in: IndexNames.staging)
        {
            try takeToMove(slots, in: IndexFolder(store: folder.store, handle: own))
        }
    }

    /// Ends the writes to several collections in `folder` and in the containers inside it, durably.
    ///
    /// A dead process may not have synced the removal of its list or pointer. If a power loss returned that after the
    /// move, recovery would not find the other participants.
    private func endJointWrites(below folder: Handle, _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        let names = Set(try fileSystem.list(folder))
        for name in names where name == IndexNames.staging || !name.isHidden {
            guard try fileSystem.status(of: name, in: folder)?.kind == .folder else { continue }
            if name == IndexNames.staging {
                try endJointWrites(in: folder, store)
            } else if (try? FileRole.index.name(name)).map(names.contains) != true {
                // A folder that is not an assets folder can be that of a container.
                if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                    try endJointWrites(below: inner, store)
                }
            }
        }
        if names.contains(where: FileRole.lock.matches) { try fileSystem.sync(folder) }
    }

    /// Ends the writes to several collections of the indexes in `folder`, whose types are not known.
    ///
    /// - Throws: ``UnendableTransaction``, after all others, if one of them cannot be ended.
    func endJointWrites(in folder: Handle, _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        var unreachable: UnendableTransaction?
        guard let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder)
        else { return }
        for name in try fileSystem.unlessMissing({ try fileSystem.list(staging) }) ?? [] {
            guard let names = IndexNames(ofTransaction: name, in: folder.url) else { continue }
            let index = IndexFolder(store: store.ofUnknownType(names), handle: folder)
            if try index.unknownRecord(of: name) != nil {
                unreachable = index.isOfOtherVersion
                continue
            }
            if let record = try index.jointRecord(of: name) {
                if index.isOther(record.machine) {
                    unreachable = index.isUnfinished(name, of: record.machine)
                    continue
                }
                guard let lock = try index.tryLock() else { throw Busy(error: index.lockIsTaken) }
                do {
                    try JointRecovery(lock: lock, name: name, hold: self).run()
                } catch let peer as UnendableTransaction {
                    unreachable = peer
                }
                continue
            }
            // The removal of a list may not be durable.
            if try index.intent(of: name) == nil { try index.syncTransaction(name) }
        }
        try fileSystem.sync(staging)
        if let unreachable { throw unreachable }
    }
}
