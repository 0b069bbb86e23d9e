import FileSystem
import Foundation
import Synchronization

extension Core {
    /// Reads the index if it changed since it was last read, and recovers what a crash left.
    func load() throws {
        try refuseInsideWrite("load")
        defer { broadcaster.notifyObservers() }
        setPhase { $0 == .idle ? .loading : $0 }
        broadcaster.notifyObservers()
        do {
            try DirectoryError.describing("load", url) {
                let folder = try openFolder(making: false)
                try withWriter { writer in
                    let change = try writer.known.refresh(from: folder, nil, coding)
                    publish(writer.known.snapshot, change.isEmpty ? [] : [change])
                    if let folder { try recoverIfFree(folder, &writer) }
                }
            }
            setPhase { _ in .loaded }
        } catch let error as DirectoryError {
            setPhase { _ in .failed(error) }
            throw error
        }
    }

    /// Loads unless that was done before.
    func loadIfNeeded() throws {
        if currentPhase != .loaded { try load() }
    }

    /// Recovers if something is left over and no process has the lock.
    ///
    /// On a volume that cannot be written to, a load goes on without.
    private func recoverIfFree(_ folder: IndexFolder, _ writer: inout Writer) throws {
        do {
            guard writer.known.commitFailure == nil,
                try !folder.transactionFolders.names.subtracting(live.all).isEmpty,
                let lock = try folder.tryLock()
            else { return }
            try withIndex(lock, &writer) { _ in }
        } catch let error as FileSystemError where error.isWriteRefusal {
        } catch is PeerIsLocked {
        }
    }
}

extension Core {
    /// Calls `body` with the index locked, refreshed and recovered, and then publishes what changed.
    func withLock<Result>(
        in folder: IndexFolder, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        defer { broadcaster.notifyObservers() }
        return try withLockBeforeNotifying(in: folder, body)
    }

    /// As ``withLock(in:_:)``, but leaves it to the caller to notify the observers, which must be
    /// done while no lock is held.
    private func withLockBeforeNotifying<Result>(
        in folder: IndexFolder, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        try refuseInsideWrite("lock")
        let deadline = ContinuousClock.now + store.options.lockTimeout
        while true {
            do {
                return try withWriter { writer in
                    try withIndex(folder.lock(), &writer, body)
                }
            } catch let busy as PeerIsLocked {
                // The process that has the peer's lock may wait for this one. So both release
                // their locks before they try again.
                guard ContinuousClock.now < deadline else { throw busy.error }
                Thread.sleep(forTimeInterval: .random(in: 0...0.01))
            }
        }
    }

    /// Calls `body` with both indexes locked, refreshed and recovered.
    ///
    /// The locks are taken in the order of the folders, so that no two transfers wait for each
    /// other.
    func withLock(
        in folder: IndexFolder, and other: Core<Item>, in otherFolder: IndexFolder,
        _ body: (LockedIndex<Item>, LockedIndex<Item>) throws -> Void
    ) throws {
        defer {
            other.broadcaster.notifyObservers()
            broadcaster.notifyObservers()
        }
        let here = try fileSystem.status(of: folder.handle).identity
        let there = try other.fileSystem.status(of: otherFolder.handle).identity
        guard here.device == there.device else {
            throw DirectoryError(
                .crossVolume, "transfer items from", url,
                "the other collection is on another volume")
        }
        let isFirst =
            here == there
            ? store.names.index.string < other.store.names.index.string
            : here < there
        if isFirst {
            try withLockBeforeNotifying(in: folder) { index in
                try other.withLockBeforeNotifying(in: otherFolder) { try body(index, $0) }
            }
        } else {
            try other.withLockBeforeNotifying(in: otherFolder) { otherIndex in
                try withLockBeforeNotifying(in: folder) { try body($0, otherIndex) }
            }
        }
    }

    /// Calls `body` while no other thread loads or commits.
    func withWriter<Result>(_ body: (inout Writer) throws -> Result) throws -> Result {
        // A mutex returns only what may change threads, so the result leaves by a variable.
        var outcome = Swift.Result<Result, any Error>.failure(CancellationError())
        writer.withLock { writer in
            outcome = Swift.Result { try body(&writer) }
        }
        return try outcome.get()
    }

    /// Calls `body` with the locked index, after memory and folder are up to date.
    private func withIndex<Result>(
        _ lock: IndexLock, _ writer: inout Writer, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        if let failure = writer.known.commitFailure { throw failure }
        if !writer.hasTidied {
            try lock.removeTemporaryFiles()
            if store.options.isExcludedFromBackup { try lock.folder.excludeFromBackup() }
            writer.hasTidied = true
        }
        return try withUnrefreshedIndex(lock, &writer) { index in
            try index.refresh()
            try Recovery(index: index, live: live, cleanUp: cleanUp).run()
            setPhase { _ in .loaded }
            return try body(index)
        }
    }

    /// Calls `body` with the locked index as this process knows it, and publishes what changed.
    private func withUnrefreshedIndex<Result>(
        _ lock: IndexLock, _ writer: inout Writer, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        let index = LockedIndex(lock, coding, writer.known)
        defer {
            writer.known = index.known
            publish(index.snapshot, index.takeChanges())
        }
        return try withExtendedLifetime(index) { try body(index) }
    }

    /// Ends a conflict between the index and its journal, and loads.
    func resolveConflict(keeping side: ConflictSide) throws {
        try refuseInsideWrite("resolve a conflict of")
        defer { broadcaster.notifyObservers() }
        try DirectoryError.describing("resolve a conflict of", url) {
            guard let folder = try openFolder(making: false) else { return }
            try withWriter { writer in
                try withUnrefreshedIndex(folder.lock(), &writer) { index in
                    try ConflictResolution(index: index).run(keeping: side)
                }
            }
        }
        try load()
    }
}

extension Core {
    /// Applies `body` to a draft of the newest state and commits the result.
    ///
    /// When this returns, the change is on disk and visible, in this order. If it throws, nothing
    /// changed.
    func commit<Result>(
        _ request: CommitRequest, _ body: (inout Directory<Item>.Draft) throws -> Result
    ) throws -> Result {
        try refuseInsideAnyWrite(request.operation)
        return try DirectoryError.describing(request.operation, url) {
            guard let folder = try openFolder(making: true) else { throw folderIsMissing }
            return try withLock(in: folder) { index in
                var draft = index.draft
                let result = try insideWrite { try body(&draft) }
                try commit(draft, request, to: index)
                return result
            }
        }
    }

    /// Commits `draft` to the locked index, and starts the work behind the commit.
    func commit(
        _ draft: Directory<Item>.Draft, _ request: CommitRequest, to index: LockedIndex<Item>
    ) throws {
        let transaction = try index.commit(draft, request, live)
        publish(index.snapshot, index.takeChanges())
        beginCheckpointIfLarge(index)
        if let transaction { cleanUp(transaction, index.snapshot.names.value) }
    }

    /// Removes what an ended transaction leaves behind: at once if that is little, else later.
    private func cleanUp(_ transaction: Transaction, _ names: OwnedNames<Item.ID>) {
        let cleanUp = { @Sendable [self] in
            // Best effort: recovery finds what stays.
            try? transaction.cleanUp(keepingStage: false)
            live.remove(transaction.name)
        }
        do {
            try transaction.removeFiles(notIn: names)
        } catch {
            // The commit has taken place. Recovery finds what stays.
            return live.remove(transaction.name)
        }
        let isLittle =
            transaction.intent.removedFolders.isEmpty && transaction.intent.removedFiles.isEmpty
        if isLittle { cleanUp() } else { background.begin(cleanUp) }
    }

    /// Calls `body`, which the user wrote, while locks are held: changes inside it are refused.
    func insideWrite<Result>(_ body: () throws -> Result) rethrows -> Result {
        try WriteScope.$core.withValue(ObjectIdentifier(self), operation: body)
    }
}

extension Core {
    /// Throws inside a write of this core, whose locks are held then.
    func refuseInsideWrite(_ operation: String) throws {
        if WriteScope.core == ObjectIdentifier(self) { throw nestedWrite(operation) }
    }

    /// Throws inside a write of any core.
    func refuseInsideAnyWrite(_ operation: String) throws {
        if WriteScope.core != nil { throw nestedWrite(operation) }
    }

    private func nestedWrite(_ operation: String) -> DirectoryError {
        DirectoryError(.nestedWrite, operation, url, "another change is being made right here")
    }
}
