import FileSystem

/// Records in the journals of one or several indexes, and their syncs, which are done side by side.
extension LockedIndex {
    /// Adds a record to the journal, which is made if there is none.
    ///
    /// If this throws, the state on disk is not known.
    func append(_ body: Journal.Record.Body, _ durability: DirectoryOptions.Durability) throws {
        guard let journal = known.state.journal else {
            do {
                try add(body)
                return try Self.syncRecords(of: [self])
            } catch {
                dropNewJournal()
                throw error
            }
        }
        var version = known.state.version
        known.state.version = nil
        hasAppended = true
        let (next, file) = try lock.append(body, to: journal, durability)
        // The journal may be in a new file.
        version?.generation = lock.generation
        version?.journal = .init(identity: file, size: next.tail.end + next.tail.padding)
        known.state = IndexState(version: version, journal: next)
    }

    /// Adds a record to the journal, or to a new one under a temporary name.
    ///
    /// The record is not durable, and a new journal has no name, before ``syncRecords(of:)``. If this throws, the state on
    /// disk is not known.
    func add(_ body: Journal.Record.Body) throws {
        guard known.state.journal == nil else { return try append(body, .relaxed) }
        guard let index = known.state.version?.index else { throw folder.hasChangedMeanwhile }
        known.state.version = nil
        hasAppended = true
        // The journal belongs to an index with these bytes, so they are made durable first.
        try makeDurable()
        let base = IndexFingerprint(of: try lock.bytes(of: index))
        newJournal = (try lock.writeJournal(for: base, [body]), index)
    }

    /// Puts the newest records of `indexes` on stable storage, and new journals in place.
    ///
    /// If a sync of journals fails, those that were in place are written to new files. If some were not in place, the error
    /// is thrown.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt` if that fails too, or if new journals are in place but not synced. Then
    ///   the next record of each journal begins with a new file.
    static func syncRecords(of indexes: [LockedIndex]) throws {
        let indexes = indexes.filter(\.hasUnsyncedRecords)
        let files = try indexes.map { try $0.newJournal?.journal.file ?? $0.lock.openJournal().0 }
        let new = indexes.filter { $0.newJournal != nil }
        do {
            try sync(Array(zip(indexes, files))) { try $0.syncData($1) }
        } catch {
            try renewJournals(of: indexes.filter { $0.newJournal == nil }, after: error)
            if new.isEmpty { return }
            throw error
        }
        for index in indexes {
            let tail = index.known.state.journal?.tail
            index.known.state.journal?.tail.durable = tail?.end ?? 0
        }
        if !new.isEmpty { try placeJournals(of: new) }
    }

    /// Writes the journals of `indexes` to new files, because a sync failed with `error`.
    private static func renewJournals(of indexes: [LockedIndex], after error: any Error) throws {
        let areMarked = indexes.map { $0.lock.setNeedsNewJournal(true) }
        do {
            for index in indexes { try index.renew() }
        } catch let second {
            guard let folder = indexes.first?.folder else { throw second }
            let error = DirectoryError(
                .inDoubt, "sync", folder.url,
                "the journals of a change could neither be synced nor written anew",
                underlying: error, detail: "\(second)",
                people: .init(doubtAfter: error, of: folder.names.index.string))
            for (index, isMarked) in zip(indexes, areMarked) where !isMarked {
                index.known.commitFailure = CommitFailure(error)
            }
            throw error
        }
    }

    /// Gives the new journals of `indexes`, which are synced, their names, durably.
    private static func placeJournals(of indexes: [LockedIndex]) throws {
        try renameJournals(of: indexes)
        for index in indexes {
            index.lock.setNeedsNewJournal(false)
            guard let (journal, status) = index.newJournal else { continue }
            index.newJournal = nil
            let marked = index.lock.mark(status, journal.known.index)
            index.known.state.journal?.isMarked = marked != nil
            let current = try? index.folder.version()
            let isKnown = current?.index?.hasContent(of: marked?.status ?? status) == true
            index.known.state.version = isKnown ? current : nil
        }
    }

    /// Renames the new journals of `indexes` and syncs the folders, in one change of their generations.
    private static func renameJournals(of indexes: [LockedIndex]) throws {
        var changing: [LockedIndex] = []
        defer { for index in changing { index.lock.endChange() } }
        do {
            for index in indexes {
                guard let journal = index.newJournal?.journal else { continue }
                try index.lock.beginChange()
                changing.append(index)
                try index.lock.placeJournal(journal.name)
                index.known.state = IndexState(journal: journal.known)
            }
        } catch {
            // The names of some may not be durable.
            for index in changing { index.lock.setNeedsNewJournal(true) }
            throw error
        }
        do {
            try sync(indexes.map { ($0, $0.folder.handle) }) { try $0.sync($1) }
        } catch {
            for index in indexes { index.lock.setNeedsNewJournal(true) }
            throw indexes.first?.folder.isInPlaceButNotSynced(error) ?? error
        }
    }

    /// Removes a new journal that is not in place.
    ///
    /// Best effort: the next process that locks the index removes a file that stays.
    func dropNewJournal() {
        guard let name = newJournal?.journal.name else { return }
        newJournal = nil
        try? fileSystem.removeFile(name, in: folder.handle)
    }

    private var hasUnsyncedRecords: Bool {
        newJournal != nil || known.state.journal.map { $0.tail.durable < $0.tail.end } ?? false
    }
}

/// The state before a commit, which must be durable before records are added to it.
extension LockedIndex {
    /// Syncs the newest state, unless it is known to be on stable storage.
    func makeDurable() throws { try Self.makeDurable([self]) }

    /// Syncs the newest states of `indexes`, except those that are known to be on stable storage.
    static func makeDurable(_ indexes: [LockedIndex]) throws {
        var rest = indexes.filter { !$0.known.isDurable }[...]
        while !rest.isEmpty {
            // So that not too many files are open at once.
            try makeDurableTogether(Array(rest.prefix(20)))
            rest = rest.dropFirst(20)
        }
    }

    private static func makeDurableTogether(_ indexes: [LockedIndex]) throws {
        let statuses = try indexes.map { try $0.folder.statusBeforeSync }
        let files = try indexes.flatMap { index in
            try index.folder.openToSync().map { (index, $0) }
        }
        do {
            try sync(files) { try $0.sync($1) }
        } catch {
            for index in indexes { index.lock.setNeedsNewJournal(true) }
            throw error
        }
        for (index, status) in zip(indexes, statuses) {
            index.known.isDurable = true
            index.store.syncedStatus = status
        }
    }

    /// Calls `body` with the files and folders of each volume: a folder inside the store can be a mount point.
    private static func sync(
        _ files: [(index: LockedIndex, file: Handle)],
        _ body: (any FileSystem, [Handle]) throws -> Void
    ) throws {
        let volumes = Dictionary(grouping: files, by: \.index.lock.folderStatus.identity.device)
        for files in volumes.values {
            guard let fileSystem = files.first?.index.fileSystem else { continue }
            try body(fileSystem, files.map(\.file))
        }
    }
}
