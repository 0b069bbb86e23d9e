import FileSystem

extension IndexLock {
    /// Marks the index with the status `index`, whose fingerprint is `base`, and which has a journal.
    ///
    /// Best effort: without the mark, nobody notices that the journal is gone. A small index gets none, because its
    /// journal is removed soon.
    ///
    /// - Returns: The marked index; nil if it has no mark.
    func mark(_ index: FileStatus, _ base: IndexFingerprint) -> TemporaryIndex? {
        if index.size <= options.journalThreshold { return nil }
        return try? JournalMark.add(to: bytes(of: index)).flatMap { try mark(index, base, by: $0) }
    }

    /// Puts an index with the bytes `marked` in place of that with the status `index`; nil if another program has edited
    /// this.
    private func mark(_ index: FileStatus, _ base: IndexFingerprint, by marked: [UInt8]) throws
        -> TemporaryIndex?
    {
        let new = try folder.writeTemporary(marked, base)
        return try folder.removingOnError(new.name) {
            let found = try fileSystem.status(of: names.index, in: folder.handle)
            if found?.hasContent(of: index) != true {
                try fileSystem.removeFile(new.name, in: folder.handle)
                return nil
            }
            // It need not be durable: the index belongs to the journal without the mark too.
            try replace(names.index, by: new.name) {}
            return new
        }
    }

    /// The bytes of the index, which must still have the content that it had with `known`.
    ///
    /// - Throws: ``DirectoryError`` with `indexConflict` if another program edits it just now.
    func bytes(of known: FileStatus) throws -> [UInt8] {
        let bytes = try fileSystem.readAll(names.index, in: folder.handle) ?? []
        let found = try fileSystem.status(of: names.index, in: folder.handle)
        guard found?.hasContent(of: known) == true else { throw folder.hasChangedMeanwhile }
        return bytes
    }

    /// A journal under a temporary name.
    struct NewJournal {
        let name: FileName
        let file: Handle
        let known: KnownJournal
    }

    /// Writes a journal with `records` under a temporary name; it is not synced.
    func writeJournal(
        for base: IndexFingerprint, isMarked: Bool = false, _ records: [Journal.Record.Body]
    ) throws -> NewJournal {
        var (tail, bytes) = Journal.new(for: base)
        let id = tail.checksum
        var changes = RecordedChanges()
        for record in records {
            let added = tail.append(record)
            bytes += added
            changes.add(record, size: added.count)
        }
        tail.durable = tail.end
        let written: (name: FileName, file: Handle)
        do {
            written = try writeUnsynced(bytes + padding)
            tail.padding = padding.count
        } catch let error as FileSystemError where error.isFullVolume && changes.joint == nil {
            // The records alone may fit. The next one of a write to several collections must fit too.
            written = try writeUnsynced(bytes)
        }
        let journal = KnownJournal(
            id: id, tail: tail, pending: changes.size, index: base, isMarked: isMarked,
            joint: changes.joint, homes: changes.homes)
        return NewJournal(name: written.name, file: written.file, known: journal)
    }

    private func writeUnsynced(_ bytes: [UInt8]) throws -> (name: FileName, file: Handle) {
        let (name, file, _) = try folder.writeUnsynced {
            try fileSystem.write(bytes, to: $0, at: 0)
        }
        return (name, file)
    }

    /// Creates a journal with `records`, in place of the present one if there is one, durably.
    func createJournal(
        for base: IndexFingerprint, isMarked: Bool, _ records: [Journal.Record.Body]
    ) throws -> KnownJournal {
        let new = try writeJournal(for: base, isMarked: isMarked, records)
        try syncAndPlace(new.name, new.file)
        return new.known
    }

    /// Replaces the journal by a copy of itself up to the end of `journal`.
    ///
    /// A file whose sync failed is never used again: it is not known which of its bytes are on the disk, even after a
    /// later sync succeeds.
    ///
    /// - Returns: The journal in the new file.
    /// - Throws: ``DirectoryError`` with `inDoubt` if the file has lost records.
    func renewJournal(_ journal: KnownJournal) throws -> KnownJournal {
        let bytes = try read(openJournal().0, to: journal.tail.end)
        // Some file systems drop the bytes that they could not write.
        guard let found = try? Journal(bytes), found.tail.checksum == journal.tail.checksum else {
            let error = FileSystemError("read", folder.handle.path(of: names.journal), .ioError)
            throw DirectoryError(
                .inDoubt, "sync", folder.handle.url(of: names.journal),
                "its newest records are lost, because a sync failed", underlying: error,
                people: .init(doubtAfter: error, of: names.index.string))
        }
        let padding = journal.joint == nil ? [] : padding
        try replaceJournal(by: bytes + padding)
        var journal = journal
        (journal.tail.durable, journal.tail.padding) = (journal.tail.end, padding.count)
        return journal
    }

    /// Replaces the journal by a new file with `bytes`, durably.
    private func replaceJournal(by bytes: [UInt8]) throws {
        let (name, file) = try writeUnsynced(bytes)
        try syncAndPlace(name, file)
    }

    private func syncAndPlace(_ name: FileName, _ file: Handle) throws {
        try folder.removingOnError(name) {
            try folder.sync(file)
            try changingGeneration {
                try placeJournal(name)
                do {
                    try folder.syncReplacement()
                } catch {
                    setNeedsNewJournal(true)
                    throw error
                }
            }
        }
        setNeedsNewJournal(false)
    }

    /// Gives a synced journal its name, in a change of generation that ends once the folder is synced.
    func placeJournal(_ name: FileName) throws {
        closeJournal()
        try fileSystem.rename(
            name, in: folder.handle, to: names.journal, in: folder.handle, replacing: true)
    }

    /// Appends a record to the journal.
    ///
    /// If this throws, the journal ends as before, or a torn record follows that the next writer
    /// cuts off.
    ///
    /// - Returns: The journal with the record, and the file that it is in.
    func append(
        _ body: Journal.Record.Body, to journal: KnownJournal,
        _ durability: DirectoryOptions.Durability
    ) throws -> (journal: KnownJournal, file: FileIdentity) {
        if needsNewJournal { return try append(body, to: renewJournal(journal), durability) }
        let (file, status) = try openJournal()
        var next = journal
        if status.linkCount > 1 {
            // A backup made of hard links must not change together with the original.
            try replaceJournal(by: read(file, to: journal.tail.end))
            next.tail.padding = 0
            return try append(body, to: next, durability)
        }
        guard status.size >= journal.tail.end else {
            throw DirectoryError(
                .journalDamaged, "write", folder.handle.url(of: names.journal),
                "it was cut off at byte \(status.size)",
                people: .init(
                    name: names.index.string,
                    reason: "its newest changes were cut off by others"))
        }
        if status.size != journal.tail.end + journal.tail.padding {
            try rollingBackOnError(file, journal) { try cutOff(file, at: journal.tail.end) }
            next.tail.durable = journal.tail.end
            next.tail.padding = 0
        }
        let available = next.tail.padding
        let record = next.tail.append(body)
        try write(record, to: file, at: journal.tail.end, journal)
        if case .prepared = body, next.tail.padding < Journal.Tail.spaceToEnd {
            // What becomes of the part must fit even if the volume is full then.
            try write(padding, to: file, at: next.tail.end, journal)
            next.tail.padding = padding.count
        }
        if durability == .durable {
            if record.count > available, next.tail.padding == 0 { pad(file, &next.tail) }
            try rollingBackOnError(file, journal) { try fileSystem.syncData(file) }
            next.tail.durable = next.tail.end
        }
        next.add(body, size: record.count)
        return (next, status.identity)
    }

    /// Writes to the journal; if that fails, the journal ends where `journal` ends.
    private func write(_ bytes: [UInt8], to file: Handle, at offset: Int, _ journal: KnownJournal)
        throws
    {
        do {
            try fileSystem.write(bytes, to: file, at: offset)
        } catch {
            // Best effort: the next writer cuts off a torn record.
            if (try? cutOff(file, at: journal.tail.end)) == nil {
                setNeedsNewJournal(true)
                try? replaceJournal(by: read(file, to: journal.tail.end))
            }
            throw error
        }
    }

    /// Writes padding after the last record.
    ///
    /// Best effort. The padding has its own write, because a record whose write fails must not be
    /// complete.
    private func pad(_ file: Handle, _ tail: inout Journal.Tail) {
        if (try? fileSystem.write(padding, to: file, at: tail.end)) != nil {
            tail.padding = padding.count
        }
    }

    /// The padding that the journal gets at a time.
    private var padding: [UInt8] {
        [UInt8](repeating: Journal.paddingByte, count: options.journalGrowth)
    }

    /// The journal, open to read and write; it stays open for later commits.
    func openJournal() throws -> (Handle, FileStatus) {
        let cache = folder.store.journalFile
        // Other collections, which need open files too, can have taken it out.
        if let journal, cache.file == nil { cache.file = journal }
        if let (open, status) = try cache.file(named: names.journal, in: folder, of: folderStatus) {
            journal = open
            return (open.handle, status)
        }
        let file = try fileSystem.openFile(names.journal, in: folder.handle, for: .update)
        let status = try fileSystem.status(of: file)
        let open = OpenFileCache.OpenFile(handle: file, identity: status.identity)
        (journal, cache.file) = (open, open)
        return (file, status)
    }

    /// Forgets the open journal, which is replaced or removed.
    func closeJournal() { (journal, folder.store.journalFile.file) = (nil, nil) }

    /// Cuts off the bytes after the last whole record, so that they can never seem to belong to the next one.
    private func cutOff(_ file: Handle, at end: Int) throws {
        try changingGeneration {
            try fileSystem.truncate(file, to: end)
            try fileSystem.sync(file)
        }
    }

    /// Calls `body`; if that throws, replaces the journal by a new file that ends where `journal` ends.
    ///
    /// - Throws: The error of `body` if the record is rolled back for certain, else ``DirectoryError`` with `inDoubt`.
    private func rollingBackOnError(
        _ file: Handle, _ journal: KnownJournal, _ body: () throws -> Void
    )
        throws
    {
        do {
            try body()
        } catch {
            setNeedsNewJournal(true)
            do {
                try replaceJournal(by: read(file, to: journal.tail.end))
            } catch {
                throw DirectoryError(
                    .inDoubt, "sync", folder.handle.url(of: names.journal),
                    "a change could neither be synced nor rolled back", underlying: error,
                    people: .init(doubtAfter: error, of: names.index.string))
            }
            throw error
        }
    }

    private func read(_ file: Handle, to end: Int) throws -> [UInt8] {
        Array(try fileSystem.readAll(file).prefix(end))
    }
}
