import FileSystem
import Synchronization

/// A core that only this thread loads or commits, until ``release()``; its index can be locked too.
///
/// A class with calls at its beginning and its end, and not a closure, so that one call can hold several.
final class LockedCore<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    typealias Event = Broadcaster<Item>.Event

    let core: Core<Item>
    /// What the core knows of the index, up to date unless the index is locked.
    var known: KnownIndex<Item> {
        get { writer.known }
        set { writer.known = newValue }
    }
    private var writer: Core<Item>.Writer
    private var index: LockedIndex<Item>?
    private var phaseEvents: [Event] = []

    /// Takes the writer of `core`.
    ///
    /// A thread that has another collection locked waits only until the timeout: the thread that has
    /// this one may wait for that one. So does the main thread on iOS.
    ///
    /// - Parameters:
    ///   - core: The core.
    ///   - patience: How long to wait; nil for as long as this thread may.
    /// - Throws: ``DirectoryError`` with `locked`.
    init(_ core: Core<Item>, within patience: Duration? = nil) throws {
        self.core = core
        let options = core.store.options
        let limit =
            patience
            ?? (WriteScope.current == nil ? options.patienceWithThreads : options.patience)
        guard let limit else {
            writer = core.writer.take()
            return
        }
        guard let taken = core.writer.take(within: limit) else { throw core.isBusy }
        writer = taken
    }

    /// Adds an event that observers are told after the locks are released.
    func tell(_ event: Event) { writer.events.append(event) }

    /// Publishes what the locked index has become, and releases its lock.
    func unlockIndex() {
        guard let index else { return }
        if index.restoreUnlessCommitted() { phaseEvents += core.setPhase { _ in .loaded } }
        core.publish(index)
        known = index.known
        writer.events += index.published.map { .change($0) }
        self.index = nil
    }

    /// Gives the writer back, and returns what observers are to be told.
    func release() -> [Event] {
        let refused = known.refused?.snapshot
        core.state.withLock { state in
            if refused != nil || state.refused != nil { state.refused = refused }
        }
        var events = writer.events + phaseEvents
        for part in core.history.takeEvents() { events.append(.history(part)) }
        writer.events = []
        core.writer.giveBack(writer)
        return events
    }
}

extension LockedCore {
    /// Makes memory and folder up to date with the locked index, and returns it.
    ///
    /// An index that has `defect` is returned too. The lock is held until ``unlockIndex()``.
    func lockIndex(_ lock: IndexLock, accepting defect: IndexDefect? = nil) throws
        -> LockedIndex<Item>
    {
        if let failure = known.commitFailure { throw failure }
        try tidy(lock)
        let index = try lockUnrefreshedIndex(lock)
        do {
            try index.refresh()
        } catch _ as DirectoryError where defect == .refused && index.acceptRefused() {
            // Recovery would need to know what the items own.
            return index
        }
        do {
            try Recovery(
                index: index, live: core.live, cleanUp: core.cleanUp,
                endsOtherMachines: defect == .unrepaired
            ).run()
        } catch let transaction as UnendableTransaction
            where [.unfinished, .unrepaired].contains(defect) && transaction.isMissing
        {}
        // The user's code that comes now reads the newest state as well.
        core.publish(index)
        phaseEvents += core.setPhase { _ in .loaded }
        return index
    }

    /// The locked index, not refreshed; the lock is held until ``unlockIndex()``.
    func lockUnrefreshedIndex(_ lock: IndexLock) throws -> LockedIndex<Item> {
        try core.refuseIfClosed()
        let index = LockedIndex(lock, core.coding, known)
        self.index = index
        return index
    }

    /// Removes what dead processes left, once.
    private func tidy(_ lock: IndexLock) throws {
        try removeExpired(lock.folder)
        if writer.hasTidied { return }
        try lock.removeTemporaryFiles()
        if core.location.isContainerAtPath { try lock.folder.syncIndexesAbove() }
        if core.store.options.isExcludedFromBackup { try lock.folder.excludeFromBackup() }
        writer.hasTidied = true
    }

    /// Begins to remove what was removed long ago: once, and then every hour if more may come.
    private func removeExpired(_ folder: IndexFolder) throws {
        if writer.hasTidied, folder.options.keepsRemoved == nil { return }
        guard ContinuousClock.now >= writer.nextRemoval else { return }
        writer.nextRemoval = .now + .seconds(3600)
        let fileSystem = folder.fileSystem
        guard try fileSystem.status(of: IndexNames.removed, in: folder.handle) != nil else {
            return
        }
        // Best effort: what stays is removed the next time.
        core.background.begin { try? folder.removeExpired() }
    }
}

/// What keeps an index from being changed, except by the calls that do something about it.
enum IndexDefect {
    /// Too much of it is damaged.
    case refused
    /// A write to it and others was interrupted, and one of these is not at its place; or another machine began a
    /// change, and has not ended it.
    case unfinished
    /// The same, if that machine will not go on: recovery ends its changes.
    case unrepaired
}
