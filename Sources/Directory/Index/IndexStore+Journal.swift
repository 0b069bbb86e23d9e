import FileSystem
import Foundation

extension IndexStore {
    /// Adds a commit to the journal, which is made first where there is none.
    func append(
        _ operations: [LineOperation], _ journal: OpenJournal?, _ version: IndexVersion,
        in folder: Handle, _ lock: IndexLock, _ durability: DirectoryOptions.Durability
    ) throws -> IndexState {
        let body = Journal.Record.Body.operations(operations)
        guard let journal else {
            let index = try fileSystem.readAll(names.index, in: folder) ?? []
            let new = try makeJournal(for: IndexFingerprint(of: index), [body], in: folder, lock)
            return IndexState(version: try? self.version(in: folder), journal: new)
        }
        let (next, identity) = try write(body, to: journal, in: folder, lock, durability)
        var version = version
        version.journal = .init(identity: identity, size: next.tail.end + next.tail.padding)
        return IndexState(version: version, journal: next)
    }

    /// Makes a journal with records, in place of the one that there may be.
    func makeJournal(
        for base: IndexFingerprint, _ records: [Journal.Record.Body], in folder: Handle,
        _ lock: IndexLock
    ) throws -> OpenJournal {
        var (tail, bytes) = Journal.new(for: base)
        let headerLength = bytes.count
        for record in records { bytes += tail.append(record) }
        try putJournal(bytes + padding, in: folder, lock)
        tail.durable = tail.end
        tail.padding = padding.count
        return OpenJournal(tail: tail, pending: tail.end - headerLength)
    }

    /// Puts a new index in place that holds the records up to a sequence number, and keeps those
    /// that came after in a new journal.
    func fold(
        _ journal: OpenJournal, into new: (name: FileName, fingerprint: IndexFingerprint),
        through sequence: Int, in folder: Handle, _ lock: IndexLock
    ) throws -> IndexState {
        let file = try fileSystem.openFile(names.journal, in: folder, for: .read)
        let later = try Journal(fileSystem.readAll(file)).records.filter { record in
            record.sequence > sequence && !record.operations.isEmpty
        }
        // From here on the journal belongs to the new index as well as to the old one.
        _ = try write(
            .checkpoint(new.fingerprint, through: sequence), to: journal, in: folder, lock,
            .durable)
        var rest: OpenJournal?
        try replace(names.index, by: new.name, in: folder, lock) {
            try syncReplaced(folder)
            if later.isEmpty {
                try removeJournal(in: folder)
            } else {
                rest = try makeJournal(
                    for: new.fingerprint, later.map(\.body), in: folder, lock)
            }
        }
        let version = try? version(in: folder)
        // Where a journal stays that could not be removed, the next call reads it.
        return IndexState(
            version: (version?.journal == nil) == (rest == nil) ? version : nil, journal: rest)
    }

    /// Puts the newest state on stable storage, which a sync that failed may have kept from it.
    ///
    /// In new files, because the old ones are not to be trusted.
    func renew<Item>(
        _ state: IndexState, _ snapshot: Directory<Item>.Snapshot, in folder: Handle,
        _ lock: IndexLock
    ) throws {
        if let journal = state.journal {
            let (file, _) = try openJournal(in: folder)
            return try putJournal(read(file, to: journal.tail.end), in: folder, lock)
        }
        var snapshot = snapshot
        try snapshot.items.encode(with: options, for: folder.url(of: names.index))
        try rewrite(snapshot.lines, nil, in: folder, lock, .durable)
    }

    /// Gives the name of the journal to a new file with `bytes`, all of it synced.
    private func putJournal(_ bytes: [UInt8], in folder: Handle, _ lock: IndexLock) throws {
        keeper.journal = nil
        let name = try names.newTemporary()
        try discarding(name, in: folder) {
            let file = try fileSystem.openFile(
                name, in: folder, for: .create(mode: options.filePermissions))
            try fileSystem.write(bytes, to: file, at: 0)
            try fileSystem.sync(file)
            try replace(names.journal, by: name, in: folder, lock) { try syncReplaced(folder) }
        }
    }

    /// Writes a record at the end of the journal.
    ///
    /// Where that fails, the journal ends as before, or a torn record follows that the next
    /// writer cuts off. A file whose sync failed is not used again: nobody knows what of it
    /// reached the disk, also not after a sync that succeeds.
    func write(
        _ body: Journal.Record.Body, to journal: OpenJournal, in folder: Handle,
        _ lock: IndexLock, _ durability: DirectoryOptions.Durability
    ) throws -> (OpenJournal, FileIdentity) {
        let (file, status) = try openJournal(in: folder)
        var next = journal
        if status.linkCount > 1 {
            // A copy made of links, as backups are, must not change with the original.
            try putJournal(read(file, to: journal.tail.end), in: folder, lock)
            next.tail.padding = 0
            return try write(body, to: next, in: folder, lock, durability)
        }
        guard status.size >= journal.tail.end else {
            throw DirectoryError(
                .journalDamaged, "write", folder.url(of: names.journal),
                "it was cut off at byte \(status.size)")
        }
        if status.size != journal.tail.end + journal.tail.padding {
            do {
                try cutOff(file, at: journal.tail.end, lock)
            } catch {
                try undo(file, journal, error, in: folder, lock)
            }
            next.tail.durable = journal.tail.end
            next.tail.padding = 0
        }
        let room = next.tail.padding
        let record = next.tail.append(body)
        do {
            try fileSystem.write(record, to: file, at: journal.tail.end)
        } catch {
            // Best effort: the next writer cuts a torn record off.
            if (try? cutOff(file, at: journal.tail.end, lock)) == nil {
                try? putJournal(read(file, to: journal.tail.end), in: folder, lock)
            }
            throw error
        }
        if durability == .durable {
            // Best effort, and apart from the record, which must not be whole where its write
            // fails.
            if record.count > room,
                (try? fileSystem.write(padding, to: file, at: next.tail.end)) != nil
            {
                next.tail.padding = padding.count
            }
            do {
                try fileSystem.syncData(file)
            } catch {
                try undo(file, journal, error, in: folder, lock)
            }
            next.tail.durable = next.tail.end
        }
        if case .operations = body { next.pending += record.count }
        return (next, status.identity)
    }

    /// What a journal grows by.
    private var padding: [UInt8] {
        [UInt8](repeating: Journal.paddingByte, count: options.journalGrowth)
    }

    /// The journal, to read and write, which stays open for later commits.
    private func openJournal(in folder: Handle) throws -> (Handle, FileStatus) {
        if let known = keeper.journal,
            let status = try fileSystem.undatedStatus(of: names.journal, in: folder),
            status.identity == known.identity
        {
            return (known.file, status)
        }
        let file = try fileSystem.openFile(names.journal, in: folder, for: .update)
        let status = try fileSystem.status(of: file)
        keeper.journal = .init(file: file, identity: status.identity)
        return (file, status)
    }

    /// Cuts off what follows the last whole record, so that it can never seem to belong to the
    /// next one.
    private func cutOff(_ file: Handle, at end: Int, _ lock: IndexLock) throws {
        let opening = lock.count | 1
        try lock.setCount(opening)
        defer { try? lock.setCount(opening &+ 1) }
        try fileSystem.truncate(file, to: end)
        try fileSystem.sync(file)
    }

    /// Puts what the journal held before a record whose sync failed into a new file.
    ///
    /// - Throws: Always: `error` where the record is undone for certain, else `inDoubt`.
    private func undo(
        _ file: Handle, _ journal: OpenJournal, _ error: any Error, in folder: Handle,
        _ lock: IndexLock
    ) throws -> Never {
        do {
            try putJournal(read(file, to: journal.tail.end), in: folder, lock)
        } catch {
            throw DirectoryError(
                .inDoubt, "sync", folder.url(of: names.journal),
                "a change could neither be synced nor undone", underlying: error)
        }
        throw error
    }

    private func read(_ file: Handle, to end: Int) throws -> [UInt8] {
        Array(try fileSystem.readAll(file).prefix(end))
    }
}
