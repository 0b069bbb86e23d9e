import FileSystem
import Synchronization

extension Core {
    /// Reads the index if it changed since it was last read, and recovers what a crash left.
    func load() throws { _ = try load { (_, _) -> Handle? in nil } }

    /// Loads, and opens a folder of an item.
    ///
    /// `open` gets the items as they were known before the load.
    ///
    /// - Returns: The collection's folder and what `open` returns; nil if the items have changed
    ///   meanwhile, or if folders may be elsewhere than the items say, because a change is under way.
    func load(
        opening open: (IndexFolder, Snapshot) -> Handle?
    ) throws -> (folder: IndexFolder, opened: Handle)? {
        try refuseInsideWrite("load")
        try refuseIfClosed()
        broadcaster.notifyObservers(of: setPhase { $0 == .idle ? .loading : $0 })
        var events: [Broadcaster<Item>.Event] = []
        defer { broadcaster.notifyObservers(of: events) }
        do {
            let found = try describing("load") {
                try store.volume?.count(.load, "load", url)
                let folder = try openFolder(making: false)
                return try withWriter(&events) { writer -> (IndexFolder, Handle)? in
                    let (opened, before) = (
                        folder.flatMap { open($0, writer.known.snapshot) }, writer.known.state
                    )
                    let change = try writer.known.refresh(from: folder, nil, coding)
                    publish(writer.known.snapshot, change.isEmpty ? [] : [change])
                    if !change.isEmpty { writer.events.append(.change(change)) }
                    guard let folder, try recoverIfFree(folder, &writer),
                        before.isSame(as: writer.known.state)
                    else { return nil }
                    return opened.map { (folder, $0) }
                }
            }
            events += setPhase { _ in .loaded }
            return found
        } catch let error as DirectoryError {
            events += setPhase { _ in .failed(error) }
            throw error
        }
    }

    /// Puts what was read on stable storage, unless it is known to be there.
    func makeDurable(in folder: IndexFolder) throws {
        do {
            var outcome = Result<Void, any Error>.success(())
            try waitForWriter { writer in
                guard !writer.known.isDurable else { return }
                outcome = Result { try folder.syncIndex() }
                writer.known.isDurable = (try? outcome.get()) != nil
            }
            try outcome.get()
        } catch let error as FileSystemError where error.code == .readOnly {
            // Nothing can be committed on this volume either.
        }
    }

    /// Loads unless that was done before.
    func loadIfNeeded() throws {
        if currentPhase != .loaded { try load() }
    }

    /// Recovers if something is left over and no process has the lock.
    ///
    /// On a volume that cannot be written to, a load succeeds without recovery.
    ///
    /// - Returns: Whether nothing was left over, or nothing can change now.
    private func recoverIfFree(_ folder: IndexFolder, _ writer: inout Writer) throws -> Bool {
        do {
            let found = try folder.transactionFolders
            let isTidy =
                try found.names.isEmpty
                ? found.parents.isEmpty
                : found.names.subtracting(live.all).allSatisfy(folder.isKept)
            guard !isTidy, !isClosed, writer.known.commitFailure == nil,
                let lock = try folder.tryLock()
            else { return isTidy }
            try withIndex(lock, &writer) { _ in }
            return false
        } catch let error as FileSystemError where error.isWriteRefusal {
            return true
        } catch _ as Busy {
            return false
        } catch _ as UnendableTransaction {
            return true
        }
    }

    /// Ends a conflict between the index and its journal, and loads.
    func resolveConflict(keeping side: ConflictSide) throws {
        try refuseInsideWrite("resolve a conflict of")
        var events: [Broadcaster<Item>.Event] = []
        defer { broadcaster.notifyObservers(of: events) }
        try describing("resolve a conflict of") {
            guard let folder = try openFolder(making: false) else { return }
            try withWriter(&events) { writer in
                try withUnrefreshedIndex(folder.lock(), &writer) { index in
                    try ConflictResolution(index: index).run(keeping: side)
                }
            }
        }
        try load()
    }
}
