import FileSystem

/// A checkpoint: a new index that is written while commits go on, and put in place under the lock.
struct Checkpoint: Sendable {
    /// The state that the new index holds.
    let snapshot: Snapshot
    private let journal: FileIdentity
    /// The generation tells the journal from another one with the same inode.
    private let generation: Int
    /// The number of the last record that the snapshot holds.
    private let sequence: Int

    /// Begins a checkpoint of the newest state; nil if the index holds all of it.
    init?(of index: LockedIndex) throws {
        try index.endAtHomes()
        guard let journal = index.known.state.journal, let version = index.known.state.version,
            let identity = version.journal?.identity
        else { return nil }
        if journal.isDispensable {
            index.known.state = IndexState()
            // The process that replaced the index may have died before it synced the folder.
            try index.folder.syncReplacement()
            try index.lock.removeJournal()
            return nil
        }
        snapshot = index.snapshot
        self.journal = identity
        generation = version.generation
        sequence = journal.tail.sequence - 1
    }

    /// Puts `new`, which holds the snapshot, in place; later records stay in the journal.
    func finish(_ new: TemporaryIndex, in index: LockedIndex) throws {
        let (fileSystem, folder) = (index.fileSystem, index.folder)
        try index.endAtHomes()
        let state = index.known.state
        guard let journal = state.journal, state.version?.generation == generation,
            state.version?.journal?.identity == self.journal
        else {
            // Another process was faster, so there is nothing left to do.
            index.known.state.version = nil
            _ = try fileSystem.unlessMissing {
                try fileSystem.removeFile(new.name, in: folder.handle)
            }
            return
        }
        if try fileSystem.status(of: new.name, in: folder.handle) == nil {
            // A process that started meanwhile took the file for that of a dead process, and removed it.
            return try index.rewrite()
        }
        index.known.state.version = nil
        if let state = try index.lock.checkpoint(journal, into: new, through: sequence) {
            index.known.state = state
        } else {
            // No journal is left, so the index must not have the mark of one.
            try fileSystem.removeFile(new.name, in: folder.handle)
            try index.rewrite()
        }
    }
}

extension LockedIndex {
    /// Writes the journal into the index, unless another process committed meanwhile.
    func checkpointIfUnchanged() throws {
        guard let journal = try folder.currentJournal(of: known.state, lock) else { return }
        known.state.journal = journal
        try rewrite()
    }
}
