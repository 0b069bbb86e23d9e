import FileSystem

/// Writes to several collections that dead processes left in folders that are about to move.
///
/// The collections of such a write find each other by their paths, so none may be unfinished when a folder above one of
/// them moves. Other transactions can move with their folder.
extension IndexFolder {
    /// Ends the writes to several collections inside the folders `names`.
    ///
    /// - Throws: ``Busy`` while another call uses one of the collections; ``UnendableTransaction`` if a write cannot be
    ///   ended.
    func endJointWrites(inside names: [FileName]) throws {
        for name in names {
            if let inner = try fileSystem.openFolderIfPresent(name, in: handle) {
                try store.endJointWrites(below: inner)
            }
        }
    }
}

extension Transaction {
    /// Ends the writes to several collections inside the folders that recovery may move, wherever they are now.
    func endJointWritesInside() throws {
        if intent.folders.isEmpty { return }
        let renamed = intent.folders.filter { !$0.isParked }
        try folder.endJointWrites(
            inside: renamed.flatMap { [$0.from, $0.to].compactMap(\.self) })
        let slots = try intent.parked.map(\.slot)
        if !slots.isEmpty, let own = try folder.openFolder(name, in: IndexNames.staging) {
            try IndexFolder(store: folder.store, handle: own).endJointWrites(inside: slots)
        }
    }
}

extension IndexStore {
    /// Ends the writes to several collections in `folder` and in the containers inside it, durably.
    ///
    /// A dead process may not have synced the removal of its list or pointer. If a power loss returned that after the
    /// move, recovery would not find the other participants.
    fileprivate func endJointWrites(below folder: Handle) throws {
        let names = Set(try fileSystem.list(folder))
        for name in names where name == IndexNames.staging || !name.isHidden {
            guard try fileSystem.status(of: name, in: folder)?.kind == .folder else { continue }
            if name == IndexNames.staging {
                try endJointWrites(in: folder)
            } else if (try? FileRole.index.name(name)).map(names.contains) != true {
                // A folder that is not an assets folder can be that of a container.
                if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                    try endJointWrites(below: inner)
                }
            }
        }
        if names.contains(where: FileRole.lock.matches) { try fileSystem.sync(folder) }
    }

    /// Ends the writes to several collections of the indexes in `folder`, whose types are not known.
    ///
    /// - Throws: ``UnendableTransaction``, after all others, if one of them cannot be ended.
    func endJointWrites(in folder: Handle) throws {
        var unreachable: UnendableTransaction?
        guard let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder)
        else { return }
        for name in try fileSystem.unlessMissing({ try fileSystem.list(staging) }) ?? [] {
            guard let names = IndexNames(ofTransaction: name, in: folder.url) else { continue }
            let index = IndexFolder(store: ofUnknownType(names), handle: folder)
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
                    try JointRecovery(lock: lock, name: name).run()
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
