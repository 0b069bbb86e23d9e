import FileSystem

/// An index whose lock is held: its folder, its elements, and the only way to commit new ones.
///
/// Everything that changes an index does it here: the changes of a collection, those of writes to
/// several ones, recovery, repair, conflict resolution and checkpoints.
///
/// A class, because everything that works under the lock shares ``known``. The lock is held until the object is
/// released; the function that creates it keeps it until the work is done.
final class LockedIndex {
    let lock: IndexLock
    let reader: any ElementReader
    /// `known.state` matches the disk, or its version is nil.
    var known: KnownIndex
    /// The values of ``known`` and of the changes before ``acceptRefused()``.
    private var beforeAccepting: (KnownIndex, [ElementChange])?
    /// The changes of the snapshot since the lock was taken.
    private(set) var changes: [ElementChange] = []
    /// How many of them were published.
    private var publishedCount = 0
    /// What was repaired since the lock was taken, because it kept the index from being read.
    private(set) var repairs: [Repair] = []
    /// Whether a record was added to the journal since the lock was taken.
    var hasAppended = false
    /// The journal with its first record, beside an index with this status, until ``syncRecords(of:)`` puts it in place.
    var newJournal: (journal: IndexLock.NewJournal, index: FileStatus)?

    init(
        _ lock: IndexLock, _ reader: any ElementReader, _ known: consuming KnownIndex = .init()
    ) {
        self.lock = lock
        self.reader = reader
        self.known = known
    }

    var folder: IndexFolder { lock.folder }
    var fileSystem: any FileSystem { lock.folder.fileSystem }
    var store: IndexStore { lock.folder.store }
    /// The newest committed state.
    var snapshot: Snapshot { known.snapshot }
    /// A draft of the newest committed state.
    var draft: ElementDraft { ElementDraft(known.snapshot, reader) }
}

extension LockedIndex {
    /// Reads the commits that other processes made since the index was last read.
    func refresh() throws {
        known.refused = nil
        // What a dead process left unfinished is ended first, by reading again.
        let current = known.isLoaded ? try folder.version(lock) : nil
        if let current, try folder.isCurrent(known.state, at: current) { return }
        // A local value: a call that changes a property of an object makes each use of the property slower, because the
        // program then checks that no two uses overlap.
        var known = known
        defer { self.known = known }
        if let change = try known.refresh(to: current, from: folder, lock, reader) {
            changes.append(change)
        }
    }

    /// Makes the snapshot that the last refresh refused the current one; returns false if there is none.
    func acceptRefused() -> Bool {
        guard let refused = known.refused else { return false }
        beforeAccepting = (known, changes)
        var known = known
        if let change = known.accept(refused) { changes.append(change) }
        self.known = known
        return true
    }

    /// Returns to the snapshot before ``acceptRefused()``, unless a commit was made since.
    ///
    /// - Returns: Whether a commit was made to the refused snapshot.
    func restoreUnlessCommitted() -> Bool {
        guard let before = beforeAccepting else { return false }
        beforeAccepting = nil
        guard known.refused != nil else { return true }
        let failure = known.commitFailure
        (known, changes) = before
        known.commitFailure = failure
        known.state.version = nil
        return false
    }

    /// Writes `next`, which differs from the snapshot by `change`.
    ///
    /// A small index is rewritten. For a large one, a record is added to the journal, as long as the journal stays
    /// small beside it. The disk has the old state or the new one at every instant. When this method returns, the new
    /// state is on stable storage; with `relaxed` durability it may not be there yet.
    ///
    /// `moved` has the ids of elements that were moved, or removed and added again.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt` if a sync failed and could not be rolled back; then a power loss can
    ///   leave either of the two states.
    func write(
        _ next: Snapshot, _ change: ElementChange, moved: Set<ElementID>,
        _ durability: DirectoryOptions.Durability
    ) throws {
        try checkThatNoPartWaits()
        let operations = operations(to: next, change, moved: moved)
        // Only files change: a record without operations is invalid.
        if operations?.isEmpty == true {
            if durability == .durable { try makeDurable() }
            known.snapshot = next
            return
        }
        if let operations {
            try append(.operations(operations), durability)
        } else {
            // If the commit fails, the state on disk is not known.
            known.state.version = nil
            try rewrite(next, known.state.journal, durability)
        }
        accept(next, change, isDurable: durability == .durable)
    }

    /// Makes `next`, which was written, the newest state.
    func accept(_ next: Snapshot, _ change: ElementChange, isDurable: Bool) {
        known.snapshot = next
        known.refused = nil
        known.isDurable = isDurable
        if !change.isEmpty { changes.append(change) }
        // Larger snapshots are not checked, so that debug builds stay usable.
        if next.elements.count < 1000 { assertInvariants(try next.checkInvariants()) }
    }

    /// The operations that a commit of `next` adds to the journal; nil if it rewrites the index.
    func operations(to next: Snapshot, _ change: ElementChange, moved: Set<ElementID>)
        -> [LineOperation]?
    {
        let (size, pending) = (known.state.version?.index?.size, known.state.journal?.pending)
        guard let size, !known.needsRewrite,
            size > store.options.journalThreshold || pending != nil
        else { return nil }
        let limit = store.journalLimit(besideIndexOf: size)
        // Estimated before the operations are made, as if all lines had the same size: a sort would make one for each
        // element, only to find that they are too many.
        guard
            moved.isEmpty || size / max(next.elements.count, 1) * moved.count <= limit,
            let operations = next.operations(from: snapshot, change, moved: moved),
            operations.reduce(pending ?? 0, { $0 + $1.size }) <= limit
        else { return nil }
        return operations
    }

    /// Writes the newest state into a new index, and removes the journal.
    func rewrite() throws {
        try checkThatNoPartWaits()
        try rewrite(snapshot, known.state.journal, .durable)
        known.isDurable = true
    }

    /// Ends the loss of a journal: writes the changes of it that this process knows into a new index; if it knows none,
    /// accepts the index as it is.
    ///
    /// A journal that is there may have records of others, so it is copied aside before, with its index.
    func acceptLossOfJournal() throws {
        let found = try folder.read(lock)
        let error: DirectoryError
        var action = "the index was accepted as it is, without the changes of its journal"
        if known.state.hasLostRecords(in: found) {
            error = folder.journalIsMissing
            let aside = found.state.journal == nil ? nil : try folder.copyAside()
            try rewrite(snapshot, found.state.journal, .durable)
            action =
                "the changes were written again"
                + (aside.map { ", and the present files were copied into \($0.path)" } ?? "")
        } else {
            error = folder.journalIsLeftBehind
            // If too much of it is damaged, it is not accepted either.
            _ = try IndexReader(reader).snapshot(of: found)
            try lock.rewriteUnmarked()
            known.state = IndexState()
            try refresh()
        }
        repairs.append(
            Repair(finding: Finding(.journalMissing, error.url, error.reason), action: action))
    }

    /// Writes the newest state to new files, because a sync of the old ones may have failed.
    func renew() throws {
        guard let journal = known.state.journal else { return try rewrite() }
        known.state.version = nil
        let renewed = try lock.renewJournal(journal)
        known.state = IndexState(version: try? folder.version(lock), journal: renewed)
    }

    /// Returns the changes that are to be published now.
    func takeChanges() -> [ElementChange] {
        defer { publishedCount = changes.count }
        if publishedCount == changes.count { return [] }
        return publishedCount == 0 ? changes : Array(changes.dropFirst(publishedCount))
    }

    private func rewrite(
        _ next: Snapshot, _ journal: KnownJournal?, _ durability: DirectoryOptions.Durability
    ) throws {
        try endAtHomes()
        known.state.version = nil
        let new = try lock.rewrite(next.lines, journal, durability)
        // The commit has taken place, even if its version cannot be read. Without a version the
        // next call reads the index again: also if the journal could not be removed, or if another
        // program edited the index after its rename.
        let version = try? folder.version()
        let isKnown = version?.hasIndex(new) == true && version?.journal == nil
        known.state = IndexState(version: isKnown ? version : nil)
        known.needsRewrite = false
    }

    /// - Throws: ``DirectoryError`` with `unfinishedChange` as long as a part in a write to several collections waits.
    private func checkThatNoPartWaits() throws {
        if known.state.journal?.joint == nil { return }
        throw folder.isUnendable("it cannot be ended now").error
    }
}

extension IndexStore {
    /// The most bytes that a journal may hold: half of those of the index beside it, which has `size` bytes.
    func journalLimit(besideIndexOf size: Int) -> Int { max(size / 2, options.journalReserve) }
}
