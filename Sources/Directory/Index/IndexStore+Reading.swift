import FileSystem
import Foundation

/// A committed state of an index, as bytes.
struct IndexContents: Sendable {
    /// The index itself; nil where there is none.
    var bytes: [UInt8]?
    /// The commits that it does not hold yet, in order.
    var commits: [[LineOperation]] = []
    var state: IndexState
}

extension IndexStore {
    /// The version of what is on disk now; nil where a file is being replaced.
    func version(in folder: Handle, _ lock: IndexLock? = nil) throws -> IndexVersion? {
        let count = try lock?.count ?? count(of: counter(in: folder))
        guard count.isMultiple(of: 2) else { return nil }
        let journal = try fileSystem.undatedStatus(of: names.journal, in: folder)
        return IndexVersion(
            index: try fileSystem.status(of: names.index, in: folder),
            journal: journal.map { .init(identity: $0.identity, size: $0.size) }, count: count)
    }

    /// The journal as it is on disk, nil where that is no longer what `state` says.
    func currentJournal(of state: IndexState, in folder: Handle, _ lock: IndexLock) throws
        -> OpenJournal?
    {
        guard let version = try version(in: folder, lock), version == state.version else {
            return nil
        }
        guard try mayHaveGrown(state) else { return state.journal }
        let news = try news(since: state, version, in: folder)
        return news?.commits.isEmpty == true ? news?.state.journal : nil
    }

    /// Whether anything but padding can follow the last record that `state` knows of, or stand in
    /// its place, in a journal of the same size.
    func mayHaveGrown(_ state: IndexState) throws -> Bool {
        guard let tail = state.journal?.tail, let version = state.version?.journal,
            tail.end < version.size
        else { return false }
        // Another file could have got the inode since; one that is open keeps it.
        guard let known = keeper.journal, known.identity == version.identity else { return true }
        let expected = tail.checksumLine + [Journal.paddingByte]
        let found = try [UInt8](unsafeUninitializedCapacity: expected.count) { buffer, count in
            count = try fileSystem.read(
                known.file, at: tail.end - tail.checksumLine.count,
                into: UnsafeMutableRawBufferPointer(buffer))
        }
        return found != expected
    }

    /// Reads the newest committed state.
    ///
    /// Without `lock`, none is needed where nobody replaces a file meanwhile: commits add to the
    /// journal, and what they add is taken only once it is whole. Else this method waits for it.
    ///
    /// - Throws: ``DirectoryError`` with `journalDamaged` or `indexConflict`; `locked` after the
    ///   timeout of the options.
    func read(in folder: Handle, _ lock: IndexLock?) throws -> IndexContents {
        if let lock { return try read(in: folder, under: lock) }
        let deadline = ContinuousClock.now + options.lockTimeout
        while true {
            let counter = try counter(in: folder)
            let count = try count(of: counter)
            let found = Result { try contents(in: folder, count) }
            let isStable =
                try count.isMultiple(of: 2)
                && count == self.count(of: counter ?? self.counter(in: folder))
            if isStable, !found.isDamage { return try found.get() }
            // A writer that died left the count odd; then the lock is free.
            if let lock = try tryLock(in: folder) {
                return try withExtendedLifetime(lock) { try read(in: folder, under: lock) }
            }
            guard ContinuousClock.now < deadline else { throw lockIsTaken(in: folder) }
            Thread.sleep(forTimeInterval: .random(in: 0...0.002))
        }
    }

    private func read(in folder: Handle, under lock: IndexLock) throws -> IndexContents {
        if !lock.count.isMultiple(of: 2) { try lock.setCount(lock.count &+ 1) }
        return try contents(in: folder, lock.count)
    }

    private func contents(in folder: Handle, _ count: Int) throws -> IndexContents {
        let index = try readFile(names.index, in: folder)
        let journal = try readFile(names.journal, in: folder)
        var version = IndexVersion(index: index?.status, count: count)
        guard let journal else {
            return IndexContents(bytes: index?.bytes, state: .init(version: version))
        }
        version.journal = .init(identity: journal.status.identity, size: journal.bytes.count)
        let parsed: Journal
        do {
            parsed = try Journal(journal.bytes)
        } catch {
            throw DirectoryError(
                .journalDamaged, "read", folder.url(of: names.journal),
                "what was written at byte \(error.offset) has changed", underlying: error)
        }
        guard let records = parsed.records(after: IndexFingerprint(of: index?.bytes ?? [])) else {
            throw DirectoryError(
                .indexConflict, "read", folder.url(of: names.index),
                "it was changed by others while \(names.journal) held newer changes")
        }
        return IndexContents(
            bytes: index?.bytes, commits: records.map { $0.operations },
            state: .init(
                version: version,
                journal: .init(tail: parsed.tail, pending: records.reduce(0) { $0 + $1.size })))
    }

    /// The commits after `state`, where nothing but the journal has grown since; else nil.
    func news(since state: IndexState, _ current: IndexVersion, in folder: Handle) throws
        -> (commits: [[LineOperation]], state: IndexState)?
    {
        guard let known = state.version, let old = known.journal, let new = current.journal,
            known.index == current.index, known.count == current.count,
            old.identity == new.identity, var journal = state.journal
        else { return nil }
        let file = try fileSystem.unlessMissing {
            try fileSystem.openFile(names.journal, in: folder, for: .read)
        }
        guard let file else { return nil }
        let ending = journal.tail.checksumLine
        let bytes = try fileSystem.readAll(file, from: journal.tail.end - ending.count)
        // Another journal can have the inode of one that is gone; then the count is another one.
        guard try fileSystem.status(of: file).identity == old.identity,
            try count(of: counter(in: folder)) == known.count,
            // Someone can have put an older journal in place of this one.
            bytes.starts(with: ending)
        else { return nil }
        var parsed = Journal(base: .init(of: []), tail: journal.tail)
        do {
            try parsed.read(bytes[ending.count...])
        } catch {
            // The whole journal is read next, which says what is wrong with it.
            return nil
        }
        journal.pending += parsed.tail.end - journal.tail.end
        var version = current
        version.journal?.size = journal.tail.end - ending.count + bytes.count
        journal.tail = parsed.tail
        return (
            parsed.records.map(\.operations), IndexState(version: version, journal: journal)
        )
    }

    private func readFile(_ name: FileName, in folder: Handle) throws -> (
        bytes: [UInt8], status: FileStatus
    )? {
        let file = try fileSystem.unlessMissing {
            try fileSystem.openFile(name, in: folder, for: .read)
        }
        return try file.map { file in
            let status = try fileSystem.status(of: file)
            return (try fileSystem.readAll(file, expecting: status.size), status)
        }
    }
}

extension Result<IndexContents, any Error> {
    fileprivate var isDamage: Bool {
        guard case .failure(let error as DirectoryError) = self else { return false }
        return error.code == .journalDamaged
    }
}
