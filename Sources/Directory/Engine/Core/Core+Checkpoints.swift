import FileSystem
import Synchronization

extension Core {
    /// Writes the journal into the index, and waits for the background work.
    func checkpoint() throws {
        try refuseInsideWrite("checkpoint")
        try refuseIfClosed()
        commitEdits()
        background.wait()
        try describing("write the newest changes into") {
            guard let folder = try openFolder(making: false) else { return }
            try checkpoint(in: folder)
            // A journal that this process knows, and that nobody wrote into the index, is lost: the lock finds out.
            if known.state.journal != nil { _ = try withLock { _ in } }
        }
        background.wait()
    }

    /// Writes a new index while commits go on, and puts it in place under the lock.
    ///
    /// If more commits are to be expected meanwhile, the new index has the mark of the journal that they leave.
    func checkpoint(in folder: IndexFolder, expectingCommits: Bool = false) throws {
        guard try fileSystem.status(of: store.names.journal, in: folder.handle) != nil else {
            return
        }
        guard let begun = try withLock({ try Checkpoint(of: $0) }) ?? nil else { return }
        let new = try folder.writeTemporary(begun.snapshot.lines, isMarked: expectingCommits)
        try folder.removingOnError(new.name) {
            try withLock { try begun.finish(new, in: $0) }
        }
    }

    /// Begins a checkpoint in the background if the journal has more than half of its largest size.
    func beginCheckpointIfLarge(_ index: LockedIndex) {
        let state = index.known.state
        guard let journal = state.journal, journal.pending > store.journalLimit(state) / 2 else {
            return
        }
        let folder = index.folder
        background.beginCheckpoint { [self] in
            // Best effort: the journal stays in use, and a later commit tries again.
            try? checkpoint(in: folder, expectingCommits: true)
        }
    }

    /// Writes the journal into the index when the last `Directory` value is released; does nothing
    /// if another process has the lock.
    func checkpointAtEnd() {
        let known = known
        // Without a version, the snapshot may differ from the disk.
        guard let journal = known.state.journal, !journal.isDispensable,
            known.state.version != nil, known.commitFailure == nil
        else { return }
        // Best effort: the changes that the index does not have stay in the journal.
        try? { () throws in
            guard let folder = try openFolderIfUnmoved(), let lock = try folder.tryLock() else {
                return
            }
            let index = LockedIndex(lock, reader, known)
            try withExtendedLifetime(index) { try index.checkpointIfUnchanged() }
        }()
    }
}
