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

    /// Begins a checkpoint in the background if the journal has more than half of its largest size; a little later if the
    /// index is small, because people read and edit small ones.
    func beginCheckpointIfNeeded(_ index: LockedIndex) {
        guard let end = index.known.state.journal?.tail.end else { return }
        let size = index.known.state.version?.index?.size
        if end > store.journalLimit(besideIndexOf: size ?? 0) / 2 {
            let folder = index.folder
            // Best effort: the journal stays in use, and a later commit tries again.
            background.beginCheckpoint { [self] in
                try? checkpoint(in: folder, expectingCommits: true)
            }
        } else if let size, size <= store.options.journalThreshold,
            let time = store.options.journalTime
        {
            ShortJournals.shared.add(self, for: time)
        }
    }

    /// Writes the journal into the index: when the last `Directory` value is released, when the process exits, and a
    /// moment after a change of a small index.
    ///
    /// - Returns: False if another thread or process has the lock; then nothing is done.
    @discardableResult
    func checkpointIfFree() -> Bool {
        guard var taken = writer.take(within: .zero) else { return false }
        defer { writer.release(&taken) }
        let known = taken.known
        // Without a version, the snapshot may differ from the disk.
        guard let journal = known.state.journal, !journal.isDispensable,
            known.state.version != nil, known.commitFailure == nil
        else { return true }
        do {
            guard let folder = try openFolderIfUnmoved() else { return true }
            guard let lock = try folder.tryLock() else { return false }
            let index = LockedIndex(lock, reader, known)
            defer { taken.known = index.known }
            try withExtendedLifetime(index) { try index.checkpointIfUnchanged() }
        } catch is Busy {
            return false
        } catch {
            // The changes that the index does not have stay in the journal.
        }
        return true
    }
}
