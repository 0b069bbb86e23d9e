import FileSystem
import Foundation

/// One committed state of an index, as bytes.
struct IndexContents: Sendable {
    /// The index file; nil if there is none.
    var bytes: [UInt8]?
    /// The operations of the journal that the index does not hold yet, in order.
    var operations: [LineOperation] = []
    var state: IndexState
    /// Whether the files keep this state until their version changes.
    ///
    /// False while a process is between two steps: it can put a journal beside the same index in the same generation.
    var isSettled = true

    /// Whether the index has the mark of a journal, and none is there.
    var lacksJournal: Bool {
        state.version != nil && state.version?.journal == nil
            && bytes.map(JournalMark.isIn) == true
    }
}

extension IndexFolder {
    /// The version of the files now; nil while a file is being replaced.
    ///
    /// If `lock` is held, its generation is used instead of that in the file.
    func version(_ lock: IndexLock? = nil) throws -> IndexVersion? {
        let version = try filesVersion(lock)
        return version.isUnfinished ? nil : version
    }

    /// The version of the files now, also while a file is being replaced.
    func filesVersion(_ lock: IndexLock? = nil) throws -> IndexVersion {
        let generation = try lock?.generation ?? generation(in: openLockFile())
        let journal = try statusOfJournal(lock)
        return IndexVersion(
            index: try fileSystem.status(of: names.index, in: handle),
            journal: journal.map { .init(identity: $0.identity, size: $0.size) },
            generation: generation)
    }

    private func statusOfJournal(_ lock: IndexLock?) throws -> FileStatus? {
        let open = try lock.flatMap {
            try store.journalFile.file(named: names.journal, in: self, of: $0.folderStatus)
        }
        return try open?.status ?? fileSystem.undatedStatus(of: names.journal, in: handle)
    }

    /// Syncs the index and its journal, with their names.
    func syncIndex() throws { try fileSystem.sync(openToSync()) }

    /// The folder, and the open files of the index and its journal.
    func openToSync() throws -> [Handle] {
        let files = try [names.index, names.journal].compactMap { name in
            try fileSystem.openFileIfPresent(name, in: handle, for: .read)
        }
        return files + [handle]
    }

    /// Reads the newest committed state.
    ///
    /// Without `lock`, it writes nothing, and needs no lock as long as no file is replaced meanwhile: a commit
    /// appends to the journal, and an appended record counts only once it is whole. If a file is replaced, this method
    /// reads again, until none is replaced or nobody has the lock, or until the process that has the lock changes nothing
    /// for 50 ms: what was read then is the old state or the new one.
    ///
    /// - Throws: ``DirectoryError`` with `journalDamaged` or `indexConflict`; `locked` if others change the files all
    ///   the time, until the timeout of the options.
    func read(_ lock: IndexLock? = nil) throws -> IndexContents {
        if let lock { return try read(under: lock) }
        let deadline = ContinuousClock.now + options.patience
        var look: Look?
        while true {
            let version = try filesVersion()
            let now = ContinuousClock.now
            if let look, look.version == version, now > look.end {
                var contents = try look.found.get()
                contents.isSettled = false
                return contents
            }
            let (found, isCertain) = try readOnce()
            if isCertain { return try found.get() }
            if let contents = try readIfNobodyCommits() { return contents }
            if look?.version != version {
                look = Look(version: version, found: found, end: .now + .milliseconds(50))
            }
            guard now < deadline else { throw lockIsTaken }
            Thread.sleep(forTimeInterval: .random(in: 0...0.002))
        }
    }

    /// What was read while a process had the lock; it counts if the files have the same version at `end`.
    ///
    /// The times of files are not exact, so this is some time later.
    private struct Look {
        let version: IndexVersion
        let found: Result<IndexContents, any Error>
        let end: ContinuousClock.Instant
    }

    /// Reads under a shared lock; nil if another process has the lock, or made the lock file meanwhile.
    ///
    /// The generation can be odd: a process died while it replaced a file, which is the old one or the new one.
    private func readIfNobodyCommits() throws -> IndexContents? {
        let locks = try FolderLocks(of: [names.lock], in: handle, on: fileSystem, .init())
        guard let locks else { return nil }
        let found = Result { try contents(generation(in: openLockFile())) }
        return try withExtendedLifetime(locks) {
            let isLocked =
                try locks.include([names.lock])
                || fileSystem.status(of: names.lock, in: handle) == nil
            return try isLocked ? found.get() : nil
        }
    }

    /// Reads without the lock; `isCertain` is false if a file was being replaced, or if the journal is damaged.
    private func readOnce() throws -> (found: Result<IndexContents, any Error>, isCertain: Bool) {
        let lockFile = try openLockFile()
        let generation = try generation(in: lockFile)
        let found = Result { try contents(generation) }
        let isStable =
            try generation.isMultiple(of: 2)
            && generation == self.generation(in: lockFile ?? openLockFile())
        return (found, isStable && !found.isDamage)
    }

    private func read(under lock: IndexLock) throws -> IndexContents {
        try lock.endUnfinishedGeneration()
        return try contents(lock.generation)
    }

    private func contents(_ generation: Int) throws -> IndexContents {
        let index = try readFile(names.index)
        let journalFile = try readFile(names.journal)
        var version = IndexVersion(index: index?.status, generation: generation)
        guard let journalFile else {
            return IndexContents(bytes: index?.bytes, state: .init(version: version))
        }
        version.journal = .init(
            identity: journalFile.status.identity, size: journalFile.bytes.count)
        let journal = try parseJournal(journalFile.bytes)
        let fingerprint = IndexFingerprint(of: index?.bytes ?? [])
        guard let records = journal.records(after: fingerprint) else {
            throw DirectoryError(
                .indexConflict, "read", indexURL,
                "it was changed by others while \(names.journal) held newer changes")
        }
        let changes = RecordedChanges(records)
        let known = KnownJournal(
            id: journal.id, tail: journal.tail, pending: changes.size,
            index: fingerprint,
            isMarked: index.map { JournalMark.isIn($0.bytes) } == true, joint: changes.joint,
            homes: changes.homes)
        return IndexContents(
            bytes: index?.bytes, operations: changes.operations,
            state: .init(version: version, journal: known))
    }

    /// The same as ``IndexContents/lacksJournal``, read from the first bytes of the index.
    var lacksJournal: Bool {
        get throws {
            let file = try fileSystem.openFileIfPresent(names.index, in: handle, for: .read)
            let count = JournalMark.marked.count
            guard let file, try JournalMark.isIn(fileSystem.read(file, at: 0, count: count))
            else { return false }
            return try fileSystem.status(of: names.journal, in: handle) == nil
        }
    }

    /// The error of an index that has the mark of a journal, without one beside it.
    var journalIsLeftBehind: DirectoryError {
        DirectoryError(
            .journalMissing, "read", handle.url(of: names.journal),
            "the newest changes of \(names.index) are in this file, which is not there: copies without hidden "
                + "files leave it out",
            remedy:
                "Put the file there, or call repair(), which accepts the index without the changes.",
            people: .init(
                name: names.index.string,
                reason: "its newest changes are in a hidden file, which is not there",
                remedy:
                    "Copy it again with all hidden files, or repair it, which gives these changes up."
            ))
    }

    /// The error of a process that knows changes which neither the index nor its journal has any more.
    var journalIsMissing: DirectoryError {
        DirectoryError(
            .journalMissing, "read", handle.url(of: names.journal),
            "its newest changes, which were saved, are gone: it was removed, or an earlier one put in its place",
            people: .init(usual: .journalMissing, name: names.index.string))
    }

    /// The error of an index that another program edits while a record is added beside it.
    var hasChangedMeanwhile: DirectoryError {
        DirectoryError(
            .indexConflict, "change", indexURL, "another program changed it meanwhile",
            remedy: "Try again.", people: .init(reason: "another program changed it meanwhile"))
    }

    /// - Throws: ``DirectoryError`` with `journalDamaged`.
    func parseJournal(_ bytes: [UInt8]) throws -> Journal {
        do {
            return try Journal(bytes)
        } catch {
            throw DirectoryError(
                .journalDamaged, "read", handle.url(of: names.journal),
                "it has changed at byte \(error.offset), after that was synced", underlying: error,
                people: .init(usual: .journalDamaged, name: names.index.string))
        }
    }

    private func readFile(_ name: FileName) throws -> (bytes: [UInt8], status: FileStatus)? {
        let file = try fileSystem.openFileIfPresent(name, in: handle, for: .read)
        return try file.map { file in
            let status = try fileSystem.status(of: file)
            return (try fileSystem.readAll(file, expecting: status.size), status)
        }
    }
}

extension IndexFolder {
    /// The elements of the newest committed state, without the white space between their tokens; nil if
    /// the index or its journal is damaged, or is something else.
    ///
    /// - Throws: `FileSystemError`, because elements that cannot be read now may be the same or not.
    var untypedLines: [[UInt8]]? {
        get throws {
            var known = KnownIndex()
            do {
                _ = try known.refresh(from: self, lineReader)
            } catch is DirectoryError {
                return nil
            }
            return known.snapshot.lines.map(LineElement.compact)
        }
    }
}

extension Result<IndexContents, any Error> {
    fileprivate var isDamage: Bool {
        guard case .failure(let error as DirectoryError) = self else { return false }
        return error.code == .journalDamaged
    }
}
