import FileSystem
import Foundation

/// The next state of an index.
struct IndexUpdate {
    /// What a commit changes, line by line; nil where that cannot be said.
    var operations: () -> [LineOperation]?
    /// All elements as they are to be.
    var lines: () -> [ArraySlice<UInt8>]
}

extension IndexStore {
    /// Makes `update` the state of the index.
    ///
    /// A small index is rewritten; to a large one a record in the journal is added, as long as the
    /// journal stays small beside it. The index holds the old state or the new one at every
    /// instant. When this method returns, the new one is on stable storage; with `relaxed`
    /// durability it may still be on its way.
    ///
    /// What is in `state` must be what is on disk; afterwards it is again, or has no version.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt` if a sync failed and could not be undone; then
    ///   nobody knows which of the two states a power loss leaves.
    func commit(
        _ update: IndexUpdate, to state: inout IndexState, in folder: Handle, _ lock: IndexLock,
        _ durability: DirectoryOptions.Durability
    ) throws {
        let known = state
        // Whatever happens, what was known is no longer so.
        state.version = nil
        if let version = known.version, let index = version.index,
            index.size > options.journalThreshold, let operations = update.operations(),
            isForJournal(operations, known)
        {
            state = try append(operations, known.journal, version, in: folder, lock, durability)
        } else {
            try rewrite(update.lines(), known.journal, in: folder, lock, durability)
            // The commit has taken place, whatever a look at it says: without a version, the next
            // call reads the index again; also where the journal could not be removed.
            let version = try? version(in: folder)
            state = IndexState(version: version?.journal == nil ? version : nil)
        }
    }

    private func isForJournal(_ operations: [LineOperation], _ state: IndexState) -> Bool {
        let cost = operations.reduce(0) { $0 + $1.size }
        return (state.journal?.pending ?? 0) + cost <= journalLimit(state)
    }

    /// The most bytes that a journal beside the index may hold: half of those of the index.
    func journalLimit(_ state: IndexState) -> Int {
        max((state.version?.index?.size ?? 0) / 2, options.journalReserve)
    }

    /// Replaces the index, and removes the journal that it makes superfluous.
    func rewrite(
        _ lines: [ArraySlice<UInt8>], _ journal: OpenJournal?, in folder: Handle,
        _ lock: IndexLock, _ durability: DirectoryOptions.Durability
    ) throws {
        let new = try writeTemporary(lines, in: folder)
        try discarding(new.name, in: folder) {
            if let journal {
                // From here on the journal belongs to the new index as well as to the old one.
                let body = Journal.Record.Body.checkpoint(
                    new.fingerprint, through: journal.tail.sequence)
                _ = try write(body, to: journal, in: folder, lock, .durable)
            }
            try replace(names.index, by: new.name, in: folder, lock) {
                guard durability == .durable || journal != nil else { return }
                try syncReplaced(folder)
                if journal != nil { try removeJournal(in: folder) }
            }
        }
    }

    /// Writes and syncs an index under a temporary name.
    func writeTemporary(_ lines: some Sequence<ArraySlice<UInt8>>, in folder: Handle) throws
        -> (name: FileName, fingerprint: IndexFingerprint)
    {
        let name = try names.newTemporary()
        return try discarding(name, in: folder) {
            let mode = try fileSystem.status(of: names.index, in: folder)?.mode
            let file = try fileSystem.openFile(
                name, in: folder, for: .create(mode: mode ?? options.filePermissions))
            var writer = IndexWriter(fileSystem: fileSystem, file: file)
            for line in lines { try writer.append(line) }
            let fingerprint = try writer.finish()
            try fileSystem.sync(file)
            return (name, fingerprint)
        }
    }

    /// Gives a temporary file its name, and does what is to be done before readers can be sure.
    ///
    /// They take no lock, but see by the count that what they read may not belong together.
    func replace(
        _ name: FileName, by temporary: FileName, in folder: Handle, _ lock: IndexLock,
        finish: () throws -> Void
    ) throws {
        let opening = lock.count | 1
        try lock.setCount(opening)
        // Best effort: an odd count only makes others wait for the lock. The text of the lock
        // file can be anything, so the count may wrap.
        defer { try? lock.setCount(opening &+ 1) }
        try fileSystem.rename(temporary, in: folder, to: name, in: folder, replacing: true)
        try finish()
    }

    /// Syncs a folder in which a file was replaced.
    func syncReplaced(_ folder: Handle) throws {
        do {
            try fileSystem.sync(folder)
        } catch {
            throw DirectoryError(
                .inDoubt, "sync", folder.url, "the change is in place but not synced",
                underlying: error)
        }
    }

    /// Removes a journal that the index holds all of, for certain.
    ///
    /// Before the index is replaced again: a journal that came back then would belong to neither.
    func removeJournal(in folder: Handle) throws {
        keeper.journal = nil
        do {
            try fileSystem.removeFile(names.journal, in: folder)
        } catch {
            // It stays, and says that it holds nothing new.
            return
        }
        try syncReplaced(folder)
    }

    /// Calls `body`, and removes the temporary file `name` if that throws.
    func discarding<Result>(_ name: FileName, in folder: Handle, _ body: () throws -> Result)
        throws -> Result
    {
        do {
            return try body()
        } catch {
            // Best effort: the next lock sweeps what stays.
            try? fileSystem.removeFile(name, in: folder)
            throw error
        }
    }
}
