import FileSystem
import Synchronization

extension Core {
    /// Reads the index if it changed since it was last read, and recovers unfinished changes.
    func load() throws { _ = try load { (_, _) -> Handle? in nil } }

    /// Loads, and opens a folder of an item.
    ///
    /// `open` is given the items from before the load.
    ///
    /// - Returns: The collection's folder and the result of `open`; nil if the items have changed
    ///   meanwhile, or if a change is under way, so that folders may not have the names in the
    ///   items.
    func load(
        opening open: (IndexFolder, Snapshot) -> Handle?
    ) throws -> (folder: IndexFolder, opened: Handle)? {
        try refuseInsideWrite("load")
        try refuseIfClosed()
        broadcaster.notifyObservers(of: setPhase(.loading, ifIdle: true))
        let call = Call()
        defer { call.end() }
        do {
            let found = try describing("load") {
                try store.volume?.count(.load, "load", url)
                let folder = try openFolder(making: false)
                return try withWriter(in: call) { core -> (IndexFolder, Handle)? in
                    let before = core.known
                    let opened = folder.flatMap { open($0, before.snapshot) }
                    let change = try core.known.refresh(from: folder, reader)
                    publish(core.known.snapshot, change.map { [$0] } ?? [])
                    if let change { core.tell(.change(change)) }
                    guard let folder, try recoverIfFree(folder, core),
                        before.state.isSame(as: core.known.state)
                    else { return nil }
                    return opened.map { (folder, $0) }
                }
            }
            call.add(setPhase(.loaded), of: self)
            return found
        } catch let error as DirectoryError {
            call.add(setPhase(.failed(error)), of: self)
            throw error
        }
    }

    /// Puts the index on stable storage, unless it is known to be there.
    func makeDurable(in folder: IndexFolder) throws {
        do {
            try withWriter { core in
                guard !core.known.isDurable else { return }
                try folder.syncIndex()
                core.known.isDurable = true
            }
        } catch let error as FileSystemError where error.code == .readOnly {
            // Nothing can be committed on this volume either.
        }
    }

    /// Loads, unless the newest load has succeeded.
    func loadIfNeeded() throws {
        if currentPhase != .loaded { try load() }
    }

    /// Loads, unless a load has ever succeeded, so that elements are shown.
    func loadIfNothingIsShown() throws {
        if !state.withLock({ $0.hasLoaded }) { try load() }
    }

    /// Recovers if a transaction is left over and no process has the lock.
    ///
    /// On a volume that cannot be written to, a load succeeds without recovery.
    ///
    /// - Returns: Whether no transaction was left over, or none can change now.
    private func recoverIfFree(_ folder: IndexFolder, _ core: LockedCore) throws -> Bool {
        do {
            let isTidy = try core.known.state.journal?.joint == nil && areTransactionsEnded(folder)
            guard !isTidy, !isClosed, core.known.commitFailure == nil,
                let lock = try folder.tryLock(inPlace: statusInPlace)
            else { return isTidy }
            defer { core.unlockIndex() }
            _ = try core.lockIndex(lock)
            return false
        } catch let error as FileSystemError where error.isWriteRefusal {
            if core.known.state.journal?.joint != nil {
                let change = try core.known.countDecidedPart(from: folder, reader)
                publish(core.known.snapshot, change.map { [$0] } ?? [])
                if let change { core.tell(.change(change)) }
            }
            return true
        } catch _ as Busy {
            return false
        } catch _ as UnendableTransaction {
            return true
        }
    }

    /// Whether no transaction is left of a process that has ended.
    private func areTransactionsEnded(_ folder: IndexFolder) throws -> Bool {
        let found = try folder.transactionFolders
        return found.names.isEmpty
            ? found.parents.isEmpty
            : try found.names.subtracting(live.all).allSatisfy { try folder.isKept($0) }
    }

    /// The error for a file or folder that is missing because a dead process was moving it, where nothing can be written;
    /// nil if it is missing for another reason.
    func unendedMove() throws -> DirectoryError? {
        guard let folder = try openFolder(making: false),
            try folder.jointPart != nil
                || folder.transactionFolders.names.contains(where: {
                    try folder.intent(of: $0) != nil
                })
        else { return nil }
        do {
            _ = try folder.tryLock()
            return nil
        } catch let error as FileSystemError where error.isWriteRefusal {
            return DirectoryError(
                .unfinishedChange, "end a change of", url,
                "a process died while it moved files, and nothing can be written here",
                underlying: error,
                remedy: "Make a copy with copy(to:) where files can be written, and use that.",
                people: .init(
                    reason:
                        "a change of it was interrupted, and cannot be ended where nothing can be saved",
                    remedy: "Copy everything to another place, and use the copy."))
        }
    }

    /// Ends a conflict between the index and its journal, and loads.
    func resolveConflict(keeping side: ConflictSide) throws {
        try refuseInsideWrite("resolve a conflict of")
        try describing("resolve a conflict of") {
            _ = try withLock(accepting: .conflict) {
                try ConflictResolution(index: $0).run(keeping: side)
            }
        }
        try load()
    }
}
