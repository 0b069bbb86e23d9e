import FileSystem

/// The commit of a write to one index, step by step: its lines, and the files of its items.
///
/// A write to several collections does each step for all of them before the next step (``TreeCommit``).
final class IndexCommit {
    let index: LockedIndex
    let draft: ElementDraft
    /// The state before the commit.
    let before: Snapshot
    /// The state after it.
    let next: Snapshot
    let change: ElementChange
    /// The transaction that moves files, which the caller cleans up; nil if no files move.
    private(set) var transaction: Transaction?
    let request: CommitRequest
    private let live: LiveTransactions
    private let plan: PlannedNames
    /// The files of the stage that elements get.
    private let imports: [Intent.Import]
    /// The collections that come with new containers.
    let newChildren: [ChildDraft]
    /// The folders of new containers, once they were made.
    private var newFolders: [FileName] = []
    /// The space for the record or the index, while it is reserved.
    private var reserve: FileName?
    /// The folder of the transaction with its intent, once that is written.
    private var own: Handle?
    /// If the commit can be undone, the digests of folders that are brought back, or that are new and not empty, by name.
    private(set) var contents: [FileName: FolderDigest] = [:]

    /// Plans the commit of `draft` to `index`; nil if it changes nothing.
    ///
    /// `number` is the digits at the end of the names of all transactions of the write.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken`, `assetMissing` or `undecodable`.
    init?(
        _ draft: ElementDraft, to index: LockedIndex, _ request: CommitRequest,
        _ live: LiveTransactions, number: @autoclosure () -> String
    ) throws {
        let before = index.snapshot
        let change = ElementChange(from: before.elements, to: draft)
        let kept = draft.returning?.kept
        let (staged, newChildren) = (try draft.imports, draft.newChildren)
        let imports = staged + (kept?.imports ?? [])
        guard
            !change.isEmpty || !imports.isEmpty || !draft.exchange.isEmpty
                || draft.damaged.count != before.damaged.count
        else { return nil }
        try draft.checkThatItCanBeOpened()
        let plan = try NamePlan.names(
            after: change, from: before, to: draft, filling: newChildren, in: index.folder,
            incoming: Set(imports.map(\.asset)).union(draft.arriving.files)
                .union(draft.exchange.arriving.files),
            restored: kept)
        var intent = Intent(
            imports: imports, removedFiles: plan.removedFiles, folders: plan.movedFolders)
        if let kept { intent.bringBack(kept.folders) }
        if let retention = index.store.options.keepsRemoved, request.recording != .none {
            intent.removal = try RemovalRecord(
                change, from: before, intent, leaving: draft.leaving,
                exchanging: draft.exchange.leaving,
                replacing: request.recording == .restoring || !draft.exchange.isEmpty
                    ? change.updated : [],
                keeping: retention)
        }
        if !intent.isEmpty {
            let name = try index.store.names.transactionFolder(number())
            transaction = Transaction(folder: index.folder, name: name, intent: intent)
        }
        next = Snapshot(
            draft.elements, damaged: draft.damaged,
            names: draft.reader.ownsNames ? LazyNames(plan.names) : before.names)
        (self.index, self.before, self.change) = (index, before, change)
        (self.request, self.live, self.plan) = (request, live, plan)
        (self.imports, self.newChildren) = (staged, newChildren)
        self.draft = draft
    }

    var fileSystem: any FileSystem { index.fileSystem }
}

extension IndexCommit {
    /// Commits this index alone, with its files.
    ///
    /// If this throws, the index and the files are as before, unless the code is `inDoubt`.
    func run() throws {
        let hold = try index.store.options.retryingWhileBusy {
            var hold = FolderHold(on: fileSystem)
            try takeFolders(&hold)
            return hold
        }
        try withExtendedLifetime(hold) {
            do {
                try prepare()
                do {
                    try writeIntent()
                    try transaction?.makeDurable()
                    try moveFiles()
                } catch let error as FileSystemError where error.isFullVolume {
                    // The first error is the one to report.
                    guard doWithoutIntent() else { throw error }
                }
                try check()
                // After a power loss, the old index must not return without the files that the transaction removed.
                let isRelaxed = transaction == nil && !plan.marksNewFolders
                do {
                    try writeLines(isRelaxed ? request.durability : .durable)
                } catch let error as FileSystemError where error.isFullVolume {
                    // The intent and its folders may have taken the space that the index needs.
                    guard transaction?.isPrepared == true, doWithoutIntent() else { throw error }
                    try index.refresh()
                    try writeLines(.durable)
                }
            } catch {
                rollBack(after: error)
                throw error
            }
            finish()
        }
    }

    /// Commits an index in a folder that no other process can see yet.
    ///
    /// It writes no intent and no marks: if it fails, the whole folder is removed.
    func runUnseen() throws {
        try prepare(marking: false)
        own = try transaction?.syncImports(step: request.importing?.step)
        try moveFiles()
        try check()
        do {
            try writeLines(.durable)
        } catch let error as DirectoryError where error.code == .inDoubt {
            // No other process can have read the index, so only the cause is reported.
            throw error.underlying ?? error
        }
        guard let transaction else { return }
        guard try transaction.placeFolders(next, index.reader, isCommitted: true) else {
            throw DirectoryError(
                .nameTaken, "change", folder.indexURL,
                "something else came to the folder of a container that was being made")
        }
        try transaction.cleanUp(keepingStage: false)
    }

    /// Locks the folders that the commit moves, so that no other call relies on their places.
    ///
    /// - Throws: ``Busy``; ``UnendableTransaction`` if an unfinished write inside one of them cannot be ended.
    func takeFolders(_ hold: inout FolderHold) throws {
        let names = transaction?.intent.folders.compactMap(\.from) ?? []
        if names.isEmpty { return }
        try hold.keepInPlace(folder.handle)
        try hold.takeToMove(names, in: folder)
        for (path, places) in draft.returning?.kept?.foldersByPath ?? [:] {
            if let waiting = try folder.openKept(path) {
                try hold.takeToMove(
                    places.map(\.name), in: IndexFolder(store: index.store, handle: waiting))
            }
        }
    }

    /// Makes the folders of new containers, and moves staged files into the transaction's folder.
    func prepare() throws { try prepare(marking: plan.marksNewFolders) }

    private func prepare(marking: Bool) throws {
        if let transaction { live.insert(transaction.name) }
        try folder.unmarkFoldersToMove(draft.moves.compactMap { $0.isFolder ? $0.name : nil })
        if let kept = draft.returning?.kept {
            try folder.check(kept)
            if request.isUndoable { contents = try folder.contents(of: kept) }
        }
        try folder.removeLeftovers(plan.leftoverFolders)
        try folder.makeNewFolders(plan.newFolders, marked: marking)
        newFolders = plan.newFolders
        for name in plan.emptyFolders { try fileSystem.removeFolder(name, in: folder.handle) }
        if plan.usesEmptyFolder { try fileSystem.sync(folder.handle) }
        if draft.reader.isOfPhotos {
            let leaving = draft.exchange.leaving.values.compactMap { $0.file?.name }
            try LegacyPhotos.moveFiles(
                of: plan.names.files, except: Set(leaving), in: folder)
        }
        guard let transaction else { return }
        try request.importing?.bring(imports, to: transaction)
        contents.merge(try makeFilledFolders(transaction)) { $1 }
    }

    /// Writes the intent.
    ///
    /// ``run()`` syncs it; a write to several collections syncs it with the pointer or the list.
    func writeIntent() throws { own = try transaction?.writeIntent(step: request.importing?.step) }

    /// Rolls back the preparations on a full volume, and returns whether the commit can go on without an intent.
    ///
    /// The commit of an undo cannot: it compares the files that it removes while they are parked.
    private func doWithoutIntent() -> Bool {
        draft.returning == nil && index.doWithout(&transaction, keepingStage: isStage)
    }

    /// Moves the files to the places that they have after the commit.
    func moveFiles() throws { try transaction?.moveFiles(own) }

    /// Checks that the given names are still free, and that an undo finds its files unchanged.
    func check() throws {
        try transaction?.checkThatPlacesAreFree()
        if let returning = draft.returning { try transaction?.check(returning) }
        try folder.checkThatNoOtherIndexNeeds(plan.givenFolders)
    }

    /// Reserves the space that ``writeLines(_:)`` needs.
    func reserveSpace() throws {
        reserve = try index.reserveSpace(for: next, change, moved: draft.moved)
    }

    /// Writes the lines to the index: this is the commit point.
    func writeLines(_ durability: DirectoryOptions.Durability) throws {
        index.removeReserve(reserve)
        reserve = nil
        try index.write(next, change, moved: draft.moved, durability)
    }

    /// Unmarks new folders and places parked ones, after the commit; recovery places one that fails.
    func finish() {
        if plan.marksNewFolders {
            // Best effort: in the folder of an item, the mark means nothing.
            for name in plan.newFolders { try? folder.unmarkFolder(name) }
        }
        transaction?.hideRemovedFolders()
        transaction?.placeParked(next, index.reader)
    }

    /// Leaves the files to recovery: the state on disk is not known, or the write is not ended.
    func leaveToRecovery() {
        index.removeReserve(reserve)
        transaction?.needsRecovery = true
        if let transaction { live.remove(transaction.name) }
    }

    /// Whether the folder of the transaction is a stage, of imported files or with a copy, which stays after an error.
    private var isStage: Bool {
        transaction.map { request.importing?.isStage(of: $0) == true } == true
            || draft.exchange.number != nil
    }

    /// Moves the files back after a failed commit.
    func rollBack(after error: any Error) {
        if let error = error as? DirectoryError, error.code == .inDoubt {
            // The next process that opens the index reconciles the files with the index on disk.
            index.known.commitFailure = CommitFailure(error)
            return
        }
        index.removeReserve(reserve)
        do {
            var areAllPlaced = true
            // Without an intent, no file of the index has moved.
            if own != nil, let transaction {
                areAllPlaced = try transaction.reconcile(
                    with: before, index.reader, isCommitted: false)
            }
            try folder.removeNewFolders(newFolders, marked: plan.marksNewFolders)
            try request.importing?.rollBack()
            if areAllPlaced {
                if isStage { try transaction?.removeNewFolders() }
                if own != nil { try transaction?.endParking() }
                try transaction?.cleanUp(keepingStage: isStage)
            }
            if let transaction, !isStage || !areAllPlaced { live.remove(transaction.name) }
        } catch {
            // The first error is the one to report. Recovery finds the files that stay.
            try? request.importing?.rollBack()
            if let transaction { live.remove(transaction.name) }
        }
    }
}
