import Dispatch
import FileSystem
import Foundation
import Synchronization

/// The closure of a write that the current thread is inside of.
enum WriteScope {
    /// The core that is being written, nil outside of a write.
    @TaskLocal static var core: ObjectIdentifier?
}

/// What a commit needs besides the draft.
struct CommitRequest: Sendable {
    var durability: DirectoryOptions.Durability
    /// What is being done, for messages.
    var operation: String
    /// The staged files that come in, and the folder in `.staging` that they lie in.
    var stage: FileName?
    var arrivals: [Intent.Arrival] = []
    /// Called before each file that comes in.
    var step: @Sendable () throws -> Void = {}
}

extension Core {
    /// Applies `body` to a draft of the newest state and commits the result.
    ///
    /// When this returns, the change is on disk and visible, in this order. When it throws,
    /// nothing changed.
    func commit<Result>(
        _ request: CommitRequest, _ body: (inout Directory<Item>.Draft) throws -> Result
    ) throws -> Result {
        guard WriteScope.core == nil else { throw nestedWrite(request.operation) }
        return try DirectoryError.describing(request.operation, url) {
            guard let folder = try openFolder(making: true) else { throw folderMissing }
            return try withLock(in: folder) { writer, lock in
                var draft = Directory<Item>.Draft(snapshot, url: self.url)
                let result = try WriteScope.$core.withValue(ObjectIdentifier(self)) {
                    try body(&draft)
                }
                return (result, try commit(&draft, request, folder, &writer, lock))
            }
        }
    }

    /// Calls `body` under the lock, with memory and folder up to date, and tells the observers
    /// of the change that it returns.
    func withLock<Result>(
        in folder: Handle,
        _ body: (inout Writer, IndexLock) throws -> (Result, Directory<Item>.Change)
    ) throws -> Result {
        var changes: [Directory<Item>.Change] = []
        defer { changes.forEach(notify) }
        return try withLock(in: folder, untold: &changes, body)
    }

    /// The same, but leaves it to the caller to tell the observers: no lock may be held then.
    func withLock<Result>(
        in folder: Handle, untold changes: inout [Directory<Item>.Change],
        _ body: (inout Writer, IndexLock) throws -> (Result, Directory<Item>.Change)
    ) throws -> Result {
        try refuseInsideWrite("lock")
        let deadline = ContinuousClock.now + store.options.lockTimeout
        while true {
            do {
                return try withWriter { writer in
                    try store.withLock(in: folder) { lock in
                        changes += try prepare(folder, &writer, lock)
                        let (result, change) = try body(&writer, lock)
                        changes.append(change)
                        return result
                    }
                }
            } catch let busy as PeerIsLocked {
                // Whoever has it may wait for this lock, so both let go before they try again.
                guard ContinuousClock.now < deadline else { throw busy.error }
                Thread.sleep(forTimeInterval: .random(in: 0...0.01))
            }
        }
    }

    /// Calls `body` while no other thread loads or commits.
    func withWriter<Result>(_ body: (inout Writer) throws -> Result) throws -> Result {
        // By way of a variable, because a mutex hands out only what may change threads.
        var outcome = Swift.Result<Result, any Error>.failure(CancellationError())
        writer.withLock { writer in
            outcome = Swift.Result { try body(&writer) }
        }
        return try outcome.get()
    }

    /// Throws where a write of this core is under way on this thread, which holds its locks.
    func refuseInsideWrite(_ operation: String) throws {
        if WriteScope.core == ObjectIdentifier(self) { throw nestedWrite(operation) }
    }

    func nestedWrite(_ operation: String) -> DirectoryError {
        DirectoryError(.nestedWrite, operation, url, "another change is being made right here")
    }

    var folderMissing: DirectoryError {
        DirectoryError(.containerRemoved, "open", place.url(), "the folder is not there")
    }

    /// Brings memory and folder up to date before a change: the part that every locked call
    /// begins with.
    func prepare(_ folder: Handle, _ writer: inout Writer, _ lock: IndexLock) throws
        -> [Directory<Item>.Change]
    {
        if let doubt = writer.doubt { throw doubt }
        if !writer.hasSwept {
            try store.sweep(folder, lock)
            if store.options.isExcludedFromBackup { try store.excludeFromBackup(folder) }
            writer.hasSwept = true
        }
        var changes = [try refresh(folder, &writer, lock)]
        while try recover(folder, &writer, lock) {
            changes.append(try refresh(folder, &writer, lock))
        }
        setPhase { _ in .loaded }
        return changes
    }

    /// Commits what `draft` changed.
    private func commit(
        _ draft: inout Directory<Item>.Draft, _ request: CommitRequest, _ folder: Handle,
        _ writer: inout Writer, _ lock: IndexLock
    ) throws -> Directory<Item>.Change {
        let base = snapshot
        let change = Directory<Item>.Change(from: base.items, to: draft)
        guard !change.isEmpty || draft.damaged.count != base.damaged.count else { return change }
        // In place, while nobody else has the nodes that the draft changed.
        try draft.items.encode(with: store.options, for: url)
        var claims = NameClaims(base: base.items, draft: draft.items, names: base.names.value)
        try claims.make(change, store, in: folder, arrivals: request.arrivals)

        let next = Snapshot(
            items: draft.items, damaged: draft.damaged, names: LazyNames(claims.names))
        let transaction = try transaction(request, claims.intent, folder)
        do {
            try makeFolders(claims.newFolders, in: folder)
            if Item.self == Photo.self {
                try LegacyPhotos.moveFiles(of: claims.names.files, in: folder, store)
            }
            try transaction?.prepare(step: request.step)
            let update = IndexUpdate(
                operations: { [moved = draft.moved] in
                    next.operations(from: base, change, moved: moved)
                },
                lines: { next.lines })
            // What a transaction removes is gone for good, so the index must not come back.
            try store.commit(
                update, to: &writer.index, in: folder, lock,
                claims.intent.isEmpty ? request.durability : .durable)
        } catch {
            abandon(transaction, request, claims, folder, &writer, error)
            throw error
        }
        publish(next, change)
        foldJournalIfLarge(writer.index, in: folder)
        if let transaction { finish(transaction, by: claims.names) }
        return change
    }

    /// The transaction that moves files; nil where none move.
    private func transaction(_ request: CommitRequest, _ intent: Intent, _ folder: Handle) throws
        -> Transaction?
    {
        if intent.isEmpty { return nil }
        let name = try request.stage ?? store.names.transactionFolder()
        setLive(name, true)
        return Transaction(store: store, folder: folder, name: name, intent: intent)
    }

    private func makeFolders(_ names: [FileName], in folder: Handle) throws {
        for name in names {
            _ = try fileSystem.openOrMakeFolder(
                name, in: folder, mode: store.options.folderPermissions)
        }
        if !names.isEmpty { try fileSystem.sync(folder) }
    }
}

extension Core {
    /// Undoes a commit that did not take place.
    private func abandon(
        _ transaction: Transaction?, _ request: CommitRequest, _ claims: NameClaims<Item>,
        _ folder: Handle, _ writer: inout Writer, _ error: any Error
    ) {
        if let doubt = error as? DirectoryError, doubt.code == .inDoubt {
            // Whatever the disk kept, the next process settles it.
            writer.doubt = doubt
            return
        }
        do {
            try transaction?.settle(by: snapshot.names.value)
            for name in claims.newFolders {
                _ = try fileSystem.unlessMissing { try fileSystem.removeFolder(name, in: folder) }
            }
            try transaction?.cleanUp(keepingStage: request.stage != nil)
            if let transaction, request.stage == nil { setLive(transaction.name, false) }
        } catch {
            // The first error is the one to report; what stays is found under a later lock.
            if let transaction { setLive(transaction.name, false) }
        }
    }

    /// Removes what a settled transaction leaves behind, now where it is little, else later.
    func finish(_ transaction: Transaction, by names: OwnedNames<Item.ID>) {
        let cleanUp = { @Sendable [self] in
            // Best effort: what stays is found under a later lock.
            try? transaction.cleanUp(keepingStage: false)
            setLive(transaction.name, false)
        }
        do {
            try transaction.removeFiles(notIn: names)
        } catch {
            // The commit has taken place; what stays is found under a later lock.
            return setLive(transaction.name, false)
        }
        if transaction.intent.removedFolders.isEmpty && transaction.intent.removedFiles.isEmpty {
            cleanUp()
        } else {
            DispatchQueue.global(qos: .utility).async(group: cleanups, execute: cleanUp)
        }
    }

    func setLive(_ name: FileName, _ isLive: Bool) {
        state.withLock { state in
            if isLive {
                state.liveTransactions.insert(name)
            } else {
                state.liveTransactions.remove(name)
            }
        }
    }
}
