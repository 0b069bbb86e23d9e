import FileSystem

/// The elements of an index as this process knows them, and the files that they were read from.
struct KnownIndex: Sendable {
    var snapshot = Snapshot.empty
    var state = IndexState()
    var isLoaded = false
    /// The snapshot that the last refresh read but refused, because too much of it is damaged.
    var refused: Refused?
    /// Why no more commits are accepted: the last one could be neither finished nor rolled back.
    var commitFailure: CommitFailure?
    /// Whether lines of the snapshot differ from those on disk, because records of the seed library were completed.
    ///
    /// The next commit writes a new index: a record of the journal would not fit those lines.
    var needsRewrite = false
    /// Whether the snapshot is known to be on stable storage.
    ///
    /// Lines that another process wrote may be in the system's cache only, even if that process was killed since.
    var isDurable = false

    /// Whether a part in a write to several collections counts without the lock as soon as its home has decided that the
    /// write takes place: nothing can be written here, so the part stays as a dead process left it.
    private var countsDecidedParts = false

    /// A class, because there is none usually.
    final class Refused: Sendable {
        let snapshot: Snapshot
        let state: IndexState

        init(_ snapshot: Snapshot, _ state: IndexState) {
            (self.snapshot, self.state) = (snapshot, state)
        }
    }
}

/// Why no more commits are accepted; a class, because there is no such reason usually.
final class CommitFailure: Sendable {
    let error: DirectoryError

    init(_ error: DirectoryError) { self.error = error }
}

extension KnownIndex {
    /// Reads the newest committed state into the snapshot without a lock, and returns the change; nil if there is none.
    ///
    /// The folder is nil if it does not exist.
    mutating func refresh(from folder: IndexFolder?, _ reader: any ElementReader) throws
        -> ElementChange?
    {
        refused = nil
        guard let folder else {
            isLoaded = true
            return replaceSnapshot(by: .empty)
        }
        let current = isLoaded ? try folder.filesVersion() : nil
        if let current, try folder.isCurrent(state, at: current) { return nil }
        return try refresh(to: current, from: folder, nil, reader)
    }

    /// Reads the state whose files have the version `current` into the snapshot, and returns the change; nil if there is
    /// none.
    ///
    /// The version is nil if the whole index must be read; the lock is nil if it is not held.
    mutating func refresh(
        to current: IndexVersion?, from folder: IndexFolder, _ lock: IndexLock?,
        _ reader: any ElementReader
    ) throws -> ElementChange? {
        if let current, let appended = try folder.operationsAppended(since: state, current, lock) {
            if appended.operations.isEmpty {
                state = appended.state
                return nil
            }
            if let next = snapshot.applying(appended.operations, reader) {
                state = appended.state
                isDurable = false
                snapshot = next.snapshot
                return next.change
            }
        }
        return try reload(from: folder, lock, reader)
    }

    /// Reads again, with the part that waits if the write takes place, and from now on always so.
    mutating func countDecidedPart(from folder: IndexFolder, _ reader: any ElementReader) throws
        -> ElementChange?
    {
        countsDecidedParts = true
        return try reload(from: folder, nil, reader)
    }

    private mutating func reload(
        from folder: IndexFolder, _ lock: IndexLock?, _ reader: any ElementReader
    ) throws -> ElementChange? {
        var contents = try folder.read(lock)
        if state.hasLostRecords(in: contents) { throw folder.journalIsMissing }
        try folder.checkThatNothingIsMissing(in: contents, reader)
        // Of a part that is committed here, the lines are among the operations already.
        if countsDecidedParts, lock == nil, let part = contents.state.journal?.joint,
            !part.isCommitted, folder.isDecided(part)
        {
            contents.operations += part.operations
            contents.isSettled = false
        }
        if !contents.isSettled { contents.state.version = nil }
        let index = IndexReader(reader)
        let read = try index.read(contents)
        if let refusal = index.refusal(of: read) {
            refused = Refused(read, contents.state)
            throw refusal
        }
        var elements = read.elements
        needsRewrite = try reader.complete(&elements, in: folder)
        state = contents.state
        isLoaded = true
        isDurable = false
        return replaceSnapshot(
            by: needsRewrite
                ? Snapshot(
                    elements, damaged: read.damaged, names: LazyNames(of: elements, reader)) : read)
    }

    /// Makes the refused snapshot the current one, and returns the change; nil if there is none.
    mutating func accept(_ refused: Refused) -> ElementChange? {
        state = refused.state
        isLoaded = true
        isDurable = false
        return replaceSnapshot(by: refused.snapshot)
    }

    private mutating func replaceSnapshot(by next: Snapshot) -> ElementChange? {
        let change = ElementChange(from: snapshot.elements, to: next.elements)
        snapshot = next
        return change.isEmpty ? nil : change
    }
}
