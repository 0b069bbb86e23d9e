import Dispatch
import FileSystem
import Foundation
import Synchronization

extension Core {
    /// Folds the journal into the index, and waits for what goes on behind commits.
    func checkpoint() throws {
        try refuseInsideWrite("checkpoint")
        cleanups.wait()
        try DirectoryError.describing("checkpoint", url) {
            guard let folder = try openFolder(making: false) else { return }
            try foldJournal(in: folder)
        }
        cleanups.wait()
    }

    /// Writes a new index while commits go on, and puts it in place under the lock.
    func foldJournal(in folder: Handle) throws {
        guard try fileSystem.status(of: store.names.journal, in: folder) != nil else { return }
        let held = try withLock(in: folder) { writer, lock in
            (try hold(&writer, folder, lock), .init())
        }
        guard var held else { return }
        try held.snapshot.items.encode(with: store.options, for: url)
        let new = try store.writeTemporary(held.snapshot.lines, in: folder)
        try store.discarding(new.name, in: folder) {
            try withLock(in: folder) { writer, lock in
                try fold(held, into: new, folder, &writer, lock)
                return ((), .init())
            }
        }
    }

    private func fold(
        _ held: Held, into new: (name: FileName, fingerprint: IndexFingerprint), _ folder: Handle,
        _ writer: inout Writer, _ lock: IndexLock
    ) throws {
        guard let journal = writer.index.journal, let version = writer.index.version,
            version.count == held.count, version.journal?.identity == held.identity
        else {
            // Another process was faster, so there is nothing left to do.
            writer.index.version = nil
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(new.name, in: folder) }
            return
        }
        if try fileSystem.status(of: new.name, in: folder) == nil {
            // A process that began meanwhile took the file for one that a dead process left.
            var newest = snapshot
            try newest.items.encode(with: store.options, for: url)
            let update = IndexUpdate(operations: { nil }, lines: { newest.lines })
            return try store.commit(update, to: &writer.index, in: folder, lock, .durable)
        }
        writer.index.version = nil
        writer.index = try store.fold(
            journal, into: new, through: held.sequence, in: folder, lock)
    }

    /// A state to fold the journal up to.
    private struct Held {
        var snapshot: Snapshot
        var identity: FileIdentity
        /// The number of replaced files, because another journal can have the same inode.
        var count: Int
        /// The number of the last record that the snapshot holds.
        var sequence: Int
    }

    /// The newest state; nil where the index holds all of it.
    private func hold(_ writer: inout Writer, _ folder: Handle, _ lock: IndexLock) throws -> Held? {
        guard let journal = writer.index.journal, let version = writer.index.version,
            let identity = version.journal?.identity
        else { return nil }
        guard journal.pending > 0 else {
            writer.index = IndexState()
            // Whoever replaced the index may have died before it synced that.
            try store.syncReplaced(folder)
            try store.removeJournal(in: folder)
            return nil
        }
        return Held(
            snapshot: snapshot, identity: identity, count: version.count,
            sequence: journal.tail.sequence - 1)
    }

    /// Folds the journal in the background once it has grown to half of what it may.
    func foldJournalIfLarge(_ index: IndexState, in folder: Handle) {
        guard let journal = index.journal, journal.pending > store.journalLimit(index) / 2,
            state.withLock({ state in
                defer { state.isFolding = true }
                return !state.isFolding
            })
        else { return }
        DispatchQueue.global(qos: .utility).async(group: cleanups) { [self] in
            // Best effort: the journal goes on, and a later commit tries again.
            try? foldJournal(in: folder)
            state.withLock { $0.isFolding = false }
        }
    }

    /// Folds the journal when the last handle goes, if nobody else uses the index just then.
    func close() {
        let (index, hasDoubt) = writer.withLock { ($0.index, $0.doubt != nil) }
        // Without a version nobody knows whether the snapshot is what is on disk.
        guard let journal = index.journal, journal.pending > 0, index.version != nil, !hasDoubt
        else { return }
        let (place, identity, snapshot) = state.withLock { ($0.place, $0.identity, $0.snapshot) }
        // Best effort: the journal says all that the index does not.
        try? { () throws in
            guard let folder = try place.open(false),
                try fileSystem.status(of: folder).identity == identity,
                let lock = try store.tryLock(in: folder)
            else { return }
            try withExtendedLifetime(lock) {
                guard let journal = try store.currentJournal(of: index, in: folder, lock) else {
                    return
                }
                try store.rewrite(snapshot.lines, journal, in: folder, lock, .durable)
            }
        }()
    }
}
