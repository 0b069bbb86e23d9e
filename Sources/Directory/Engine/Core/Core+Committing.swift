import FileSystem
import Synchronization

extension Core {
    /// Applies `body` to a draft of the newest state, and commits the draft.
    ///
    /// When this returns, the change is on disk, and then visible. If it throws, nothing has
    /// changed. Pending edits are committed first, so that `body` sees them.
    func commit(
        _ request: CommitRequest, _ body: (inout ElementDraft) throws -> Void
    ) throws {
        try refuseInsideAnyWrite(request.operation)
        commitEdits()
        let fault = fault(request.operation)
        try apply(request) { draft in
            try body(&draft)
            if let fault { throw fault }
        }
    }

    /// Does the same, and returns the result of `body`.
    func commit<Result>(
        _ request: CommitRequest, _ body: (inout ElementDraft) throws -> Result
    ) throws -> Result {
        var result: Result?
        try commit(request) { draft in result = try body(&draft) }
        // A commit that returns has called `body`.
        guard let result else { throw folderIsMissing }
        return result
    }

    /// Counts a change in a memory volume, and returns the error if it must fail.
    func fault(_ operation: String) -> DirectoryError? {
        store.volume?.nextFault(on: .change, operation, url)
    }

    /// The same as ``commit(_:_:)``, but commits no edits, and is not counted as a change.
    func change(
        _ request: CommitRequest, in call: Call? = nil,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        try refuseInsideAnyWrite(request.operation)
        try apply(request, in: call, body)
    }

    /// Commits the change that `body`, code of the user, makes to a draft; errors name the operation and the index.
    private func apply(
        _ request: CommitRequest, in call: Call? = nil,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        try describing(request.operation) {
            try write(request, in: call) { draft in try insideWrite { try body(&draft) } }
        }
    }

    /// Calls `body` with a draft of the newest state, and commits the draft, as a part of `call`.
    ///
    /// `body` runs again if it reached into a collection, or moves a folder, that another thread or process was using.
    func write(
        _ request: CommitRequest, in call: Call? = nil,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        let written: Void? = try Call.with(call) { call in
            try withLock(making: true, in: call) { index in
                let session = WriteSession(request, in: call)
                defer { session.end() }
                try write(request, to: index, session, body)
            }
        }
        if written == nil { throw folderIsMissing }
    }

    private func write(
        _ request: CommitRequest, to index: LockedIndex, _ session: WriteSession,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        let write = session.beginHome(self, index)
        var draft = ElementDraft(index.snapshot, reader, of: write)
        if !session.assets.isEmpty { draft.files.staged = StagedFiles(session.assets) }
        var failure: (any Error)?
        do { try body(&draft) } catch { failure = error }
        if let busy = session.busy { throw busy }
        if let failure { throw failure }
        try draft.checkThatItBelongs(to: write)
        try run(draft.take(), request, on: index, steps: session.steps)
    }

    /// Commits the change that `migrate` makes to a draft, and returns the number of damaged lines that it replaced.
    ///
    /// This also works if changes are refused because too many lines are damaged. `migrate` is given these lines.
    func migrateDamagedItems(
        _ request: CommitRequest,
        _ migrate: (inout ElementDraft, [DamagedItem]) throws -> Int
    ) throws -> Int {
        try refuseInsideAnyWrite(request.operation)
        commitEdits()
        return try describing(request.operation) {
            let count = try withLock(accepting: .refused) { index in
                var draft = index.draft
                let described = index.snapshot.damagedItems(store.options)
                let count = try insideWrite { try migrate(&draft, described) }
                if count > 0 { try run(draft, request, on: index) }
                return count
            }
            return count ?? 0
        }
    }

    /// Commits `draft` to the locked index, with the drafts of collections inside its items, and starts the background
    /// work.
    ///
    /// The undo history gets `steps`; if that is nil, one step with the files that the commit moves.
    func run(
        _ draft: consuming ElementDraft, _ request: CommitRequest, on index: LockedIndex,
        steps: [UndoStep]? = nil
    ) throws {
        if request.recording == .step, !draft.children.isEmpty || reader.ownsFolders,
            draft.removesAny
        {
            var changes = RemovedAndAdded()
            try changes.add(draft)
            try changes.check(request.operation)
        }
        var commit = Commit(
            home: index.folder, number: request.stage.map(IndexNames.transaction))
        let hasStep = history.isOn && steps == nil && !draft.files.exchangesAny
        let request = hasStep ? request.withStep : request
        let write = try PlannedWrite(
            draft, of: self, request, to: index, in: &commit, at: .home)
        try commit.run()
        let step = write.end()
        if request.isUndoable { record(step, request, in: index.folder) }
        for step in steps ?? [] { record(step, request, in: index.folder) }
    }

    /// Removes the leftovers of an ended transaction: at once if they are few, otherwise in the
    /// background.
    func cleanUp(_ transaction: Transaction, _ snapshot: Snapshot) {
        let cleanUp = { @Sendable [self] in
            // Best effort: recovery removes the leftovers.
            try? transaction.cleanUp(keepingStage: false)
            live.remove(transaction.name)
        }
        if transaction.needsRecovery { return live.remove(transaction.name) }
        do {
            // Without an intent, a dead process or a failed call may have left the record.
            let isKept =
                try transaction.intent.isEmpty
                ? transaction.folder.placeAmongRemoved(transaction.name)
                : transaction.retain(snapshot, reader)
            if isKept { return live.remove(transaction.name) }
            try transaction.endParking()
            try transaction.removeFiles(notIn: snapshot.names.value)
        } catch {
            // The commit has taken place. Recovery removes the leftovers.
            return live.remove(transaction.name)
        }
        // A transaction without an intent has files that another process removed.
        let isLittle = !transaction.removesAny && !transaction.intent.isEmpty
        if isLittle { cleanUp() } else { background.begin(cleanUp) }
    }

    /// Calls `body`, which runs code of the user while locks are held; changes inside it are
    /// refused.
    func insideWrite<Result>(_ body: () throws -> Result) rethrows -> Result {
        try WriteScope.inClosure(of: ObjectIdentifier(self), body)
    }
}
