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
    /// A dead process may not have synced the end of a write. If a power loss took it away after the move, recovery would
    /// not find the other participants.
    func endJointWrites(below folder: Handle) throws {
        let names = Set(try fileSystem.list(folder))
        for name in names where !name.isHidden {
            guard try fileSystem.status(of: name, in: folder)?.kind == .folder,
                (try? FileRole.index.name(name)).map(names.contains) != true
            else { continue }
            // A folder that is not an assets folder can be that of a container.
            if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                try endJointWrites(below: inner)
            }
        }
        try endJointWrites(in: folder)
    }

    /// Ends the writes to several collections of the indexes in `folder`, whose types are not known, durably.
    ///
    /// - Throws: ``UnendableTransaction``, after all others, if one of them cannot be ended.
    func endJointWrites(in folder: Handle) throws {
        var unreachable: UnendableTransaction?
        for name in try fileSystem.list(folder) {
            guard
                let names = FileRole.journal.stem(of: name)
                    .flatMap({ IndexNames(stem: $0, in: folder.url) })
            else { continue }
            let index = IndexFolder(store: ofUnknownType(names), handle: folder)
            do {
                guard var changes = try index.recordedChanges else { continue }
                if let part = changes.joint {
                    try endJointWrite(part, of: index)
                    // Its home is among them now.
                    changes = try index.recordedChanges ?? changes
                }
                try index.end(at: changes.homes)
            } catch let peer as UnendableTransaction {
                unreachable = peer
            }
            let journal = try fileSystem.openFileIfPresent(
                names.journal, in: folder, for: .read)
            if let journal { try fileSystem.syncData(journal) }
        }
        if let unreachable { throw unreachable }
    }

    private func endJointWrite(_ part: JointPart, of folder: IndexFolder) throws {
        if let machine = part.machine, folder.isOther(machine) {
            throw folder.isUnfinished(nil, of: machine)
        }
        guard let lock = try folder.tryLock() else { throw Busy(error: folder.lockIsTaken) }
        let index = LockedIndex(lock, folder.lineReader)
        try withExtendedLifetime(index) {
            do {
                try index.refresh()
            } catch let error as DirectoryError where error.code.isDamage {
                throw UnendableTransaction(error: error, isMissing: false)
            }
            try JointRecovery(index: index).end()
        }
    }
}
