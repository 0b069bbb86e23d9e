import FileSystem
import Synchronization

/// A core on which only this thread loads or commits, until ``release()``; its index can be locked too.
///
/// A class that is made and released, instead of a function with a closure, so that one call can hold several of them.
final class LockedCore {
    typealias Event = Broadcaster.Event

    let core: Core
    /// The index as the core knows it; ``LockedIndex/known`` has it while the index is locked.
    var known: KnownIndex {
        get { writer.known }
        set { writer.known = newValue }
    }
    private var writer: Core.Writer
    private var index: LockedIndex?
    /// The events for observers, who are told after the locks are released.
    private var events: [Event] = []
    /// Those of the phase and of the undo history, which come last.
    private var lastEvents: [Event] = []

    /// Takes the writer of `core`.
    ///
    /// A thread that has another collection locked waits only until the timeout, because the thread that has this
    /// collection may be waiting for the other one. The main thread on iOS waits only until the timeout too.
    ///
    /// - Parameters:
    ///   - core: The core.
    ///   - patience: How long to wait; nil for the longest time that this thread may wait.
    /// - Throws: ``DirectoryError`` with `locked`.
    init(_ core: Core, within patience: Duration? = nil) throws {
        self.core = core
        let isInner = WriteScope.current != nil
        let limit =
            patience
            ?? (isInner ? core.store.options.patience : core.store.options.patienceWithThreads)
        guard let limit else {
            writer = core.writer.take()
            return
        }
        guard let taken = core.writer.take(within: limit) else { throw core.isBusy }
        writer = taken
    }

    /// Adds an event that observers are told after the locks are released.
    func tell(_ event: Event) { events.append(event) }

    /// Publishes the state of the locked index, and releases its lock.
    func unlockIndex() {
        guard let index else { return }
        if index.restoreUnlessCommitted() { lastEvents += core.setPhase(.loaded) }
        core.publish(index)
        if index.hasAppended { core.beginCheckpointIfNeeded(index) }
        writer.known = exchange(&index.known, with: KnownIndex())
        for change in index.changes { tell(.change(change)) }
        self.index = nil
    }

    /// Gives the writer back, and returns the events for observers.
    func release() -> [Event] {
        let refused = writer.known.refused?.snapshot
        core.state.withLock { state in
            if refused != nil || state.refused != nil { state.refused = refused }
        }
        for part in core.history.takeEvents() { lastEvents.append(.history(part)) }
        core.writer.release(&writer)
        return lastEvents.isEmpty ? events : events + lastEvents
    }
}

extension LockedCore {
    /// Locks the index, refreshes and recovers it, and returns it.
    ///
    /// The folder was in its place when `lock` was taken. An index that has `defect` is returned too; that with a
    /// conflict is neither refreshed nor recovered. The lock is held until ``unlockIndex()``.
    func lockIndex(_ lock: IndexLock, accepting defect: IndexDefect? = nil) throws
        -> LockedIndex
    {
        try core.refuseIfClosed()
        let index = LockedIndex(lock, core.reader, exchange(&writer.known, with: KnownIndex()))
        self.index = index
        if defect == .conflict { return index }
        if let failure = index.known.commitFailure { throw failure.error }
        try tidy(lock)
        do {
            try index.refresh()
        } catch _ as DirectoryError where defect == .refused && index.acceptRefused() {
            // Recovery needs the names that the items own.
            return index
        } catch let error as DirectoryError
            where error.code == .journalMissing && defect == .unrepaired
        {
            try index.acceptLossOfJournal()
        }
        do {
            try recover(index, endsOtherMachines: defect == .unrepaired)
        } catch let transaction as UnendableTransaction
            where [.unfinished, .unrepaired].contains(defect) && transaction.isMissing
        {}
        // After the recovery: an unfinished change may need files that are kept.
        try removeExpired(lock.folder)
        // The user's code that runs next reads the newest state too.
        core.publish(index)
        lastEvents += core.setPhase(.loaded)
        return index
    }

    /// Ends the transactions that processes left unfinished.
    ///
    /// Each of them is in a folder of `folder`, so there is none as long as `folder` is the same as when it had no such
    /// folder.
    private func recover(_ index: LockedIndex, endsOtherMachines: Bool) throws {
        let folder = index.lock.folderStatus
        if folder == writer.tidyFolder, index.known.state.journal?.joint == nil { return }
        writer.tidyFolder = nil
        let recovery = Recovery(
            index: index, live: core.live, cleanUp: core.cleanUp,
            endsOtherMachines: endsOtherMachines)
        if try recovery.run(), index.fileSystem.everyChangeShows(after: folder) {
            writer.tidyFolder = folder
        }
    }

    /// Removes the files of dead processes, once.
    private func tidy(_ lock: IndexLock) throws {
        if writer.hasTidied { return }
        try lock.removeTemporaryFiles()
        if core.location.isContainerAtPath { try lock.folder.syncIndexesAbove() }
        if core.store.options.isExcludedFromBackup { try lock.folder.excludeFromBackup() }
        writer.hasTidied = true
    }

    /// Ends the time of expired items, and begins to remove their folders: once, and every hour if more can follow.
    private func removeExpired(_ folder: IndexFolder) throws {
        if let next = writer.nextRemoval {
            guard folder.options.keepsRemoved != nil, ContinuousClock.now >= next else { return }
        }
        writer.nextRemoval = .now + .seconds(3600)
        let fileSystem = folder.fileSystem
        guard try fileSystem.status(of: IndexNames.removed, in: folder.handle) != nil else {
            return
        }
        // Best effort: the rest is removed the next time.
        try? folder.removeExpiredRecords()
        core.background.begin { try? folder.removeFoldersWithoutRecord() }
    }
}

/// A defect that lets an index be changed only by the calls that repair it.
enum IndexDefect {
    /// Too much of it is damaged.
    case refused
    /// It may be in conflict with its journal, so it is not refreshed.
    case conflict
    /// A write to several indexes was interrupted, and one of them is not at its place; or another machine began a
    /// change and has not ended it.
    case unfinished
    /// The same, if that machine will not continue: recovery ends its changes.
    case unrepaired
}
