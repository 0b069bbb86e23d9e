import FileSystem

extension IndexFolder {
    /// Whether the journal can have changed since `state` although it has the same size: something
    /// other than padding follows the last known record, or another record is in its place.
    func mayHaveGrown(_ state: IndexState) throws -> Bool {
        guard let tail = state.journal?.tail, let version = state.version?.journal,
            tail.end < version.size
        else { return false }
        // While the file is open, no other file can get its inode.
        guard let open = store.journalFile.file, open.identity == version.identity else {
            return true
        }
        var expected = tail.checksumLine
        let offset = tail.end - expected.count
        expected.append(Journal.paddingByte)
        return try fileSystem.read(open.handle, at: offset, count: expected.count) != expected
    }

    /// Whether the files, which have the version `current`, are still those that `state` knows.
    func isCurrent(_ state: IndexState, at current: IndexVersion) throws -> Bool {
        guard current == state.version else { return false }
        return try !mayHaveGrown(state)
    }

    /// The journal as it is now; nil if it has new operations, if a part in a write to several collections is not ended, or
    /// if the files are not those that `state` knows.
    func currentJournal(of state: IndexState, _ lock: IndexLock) throws -> KnownJournal? {
        guard let version = try version(lock), version == state.version else { return nil }
        var journal = state.journal
        if try mayHaveGrown(state) {
            let appended = try operationsAppended(since: state, version, lock)
            journal = appended?.operations.isEmpty == true ? appended?.state.journal : nil
        }
        return journal?.joint == nil ? journal : nil
    }

    /// The operations that other processes appended to the journal since `state`; nil if anything else changed.
    ///
    /// `current` is the version now; the lock is nil if it is not held.
    func operationsAppended(
        since state: IndexState, _ current: IndexVersion, _ lock: IndexLock?
    ) throws -> (operations: [LineOperation], state: IndexState)? {
        guard let known = state.version, let old = known.journal, let new = current.journal,
            known.index == current.index, known.generation == current.generation,
            old.identity == new.identity, var journal = state.journal,
            new.size >= journal.tail.end
        else { return nil }
        // While a file is open, no other file can get its inode.
        let open = store.journalFile.file.flatMap { $0.identity == old.identity ? $0.handle : nil }
        guard
            let file = try open
                ?? fileSystem.openFileIfPresent(names.journal, in: handle, for: .read)
        else { return nil }
        let ending = journal.tail.checksumLine
        let start = journal.tail.end - ending.count
        let bytes = try fileSystem.read(file, at: start, count: new.size - start)
        // Another journal can have got the inode of a removed one; the generation then differs. Under the lock it cannot
        // change.
        guard try open != nil || fileSystem.status(of: file).identity == old.identity,
            try lock != nil || generation(in: openLockFile()) == known.generation,
            // An older journal may have been put in place of this one.
            bytes.starts(with: ending)
        else { return nil }
        var appended = Journal(base: .init(of: []), id: journal.id, tail: journal.tail)
        do {
            try appended.read(bytes[ending.count...])
        } catch {
            // The caller then reads the whole journal, and reports the damage.
            return nil
        }
        var version = current
        version.journal?.size = start + bytes.count
        journal.tail = appended.tail
        var changes = RecordedChanges(after: journal)
        for record in appended.records { changes.add(record.body, size: record.size) }
        journal.pending += changes.size
        (journal.joint, journal.homes) = (changes.joint, changes.homes)
        return (changes.operations, IndexState(version: version, journal: journal))
    }
}
