import FileSystem

/// The part of a commit in one index: its lines, and the files of its items; ``Commit/run()`` has the order of the steps.
final class CommitPart {
    let index: LockedIndex
    let place: Commit.Place
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
    private let imports: [Move]
    /// The collections that come with new containers.
    let newChildren: [ChildDraft]
    /// The folders of new containers, once they were made.
    private var newFolders: [FileName] = []
    /// The folder of the transaction with its intent, once that is written.
    private var own: Handle?
    /// If the commit can be undone, the digests of folders that are brought back, or that are new and not empty, by name.
    private(set) var contents: [FileName: FolderDigest] = [:]

    /// Plans the commit of `draft` to `index`; nil if it changes nothing.
    ///
    /// `number` is the digits at the end of the names of all transactions of the write; made here if they are needed and nil.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken`, `assetMissing` or `undecodable`.
    init?(
        _ draft: consuming ElementDraft, to index: LockedIndex, _ request: CommitRequest,
        _ live: LiveTransactions, number: inout String?, at place: Commit.Place
    ) throws {
        let before = index.snapshot
        let change = draft.change(from: before.elements)
        let kept = draft.files.returning?.moves ?? []
        let (staged, newChildren) = (
            try draft.imports(to: index.folder.names.stem), draft.newChildren
        )
        let imports = staged + kept.ofFiles
        guard
            !change.isEmpty || !imports.isEmpty || !draft.files.moves.isEmpty
                || draft.damaged.count != before.damaged.count
        else { return nil }
        try draft.checkThatItCanBeOpened()
        let plan = try NamePlan.names(
            after: change, from: before, to: draft, filling: newChildren, under: index.lock,
            incoming: Set(imports.flatMap(\.targets)))
        let retention = request.recording == .none ? nil : index.store.options.keepsRemoved
        if !imports.isEmpty || plan.movesAny || !kept.isEmpty || retention != nil {
            var intent = Intent(
                imports: imports, removedFiles: plan.removedFiles, folders: plan.movedFolders)
            if !kept.isEmpty { intent.setKeptPlaces(of: kept) }
            if let retention {
                intent.removal = try RemovalRecord(
                    change, from: before, intent, draft.files,
                    replacing: request.recording == .restoring || !draft.files.placed.isEmpty
                        ? change.updated : [],
                    keeping: retention)
            }
            if !intent.isEmpty {
                let digits = number ?? RandomName.digits()
                number = digits
                let name = try index.store.names.transactionFolder(digits)
                transaction = Transaction(folder: index.folder, name: name, intent: intent)
            }
        }
        next = Snapshot(
            draft.elements, damaged: draft.damaged,
            names: draft.reader.ownsNames ? LazyNames(plan.names) : before.names)
        (self.index, self.place, self.before, self.change) = (index, place, before, change)
        (self.request, self.live, self.plan) = (request, live, plan)
        (self.imports, self.newChildren) = (staged, newChildren)
        self.draft = consume draft
    }

    var fileSystem: any FileSystem { index.fileSystem }
    /// Whether the commit moves files.
    var movesFiles: Bool { transaction != nil }
}

extension CommitPart {
    /// Ends the writes to several collections that dead processes left in the folders that the commit moves.
    ///
    /// - Throws: ``Busy``; ``UnendableTransaction`` if such a write cannot be ended.
    func endJointWritesInside() throws {
        let names = transaction?.intent.folders.compactMap(\.from) ?? []
        if names.isEmpty { return }
        try folder.endJointWrites(inside: names)
        for move in draft.files.returning?.moves.ofContainers ?? [] {
            if let waiting = try move.from.kept.flatMap(folder.openKept) {
                try IndexFolder(store: index.store, handle: waiting)
                    .endJointWrites(inside: move.names)
            }
        }
    }

    /// Makes the folders of new containers, and moves staged files into the transaction's folder.
    func prepare(_ kind: Commit.Kind) throws {
        // Elements that own no names need no folders, and bring no files.
        guard draft.reader.ownsNames || transaction != nil else { return }
        if let transaction { live.insert(transaction.name) }
        if draft.reader.ownsFiles {
            let (old, new) = (before.names.value.files, plan.names.files)
            try folder.convertSeedAssets { old.owns($0) || new.owns($0) }
        }
        try folder.unmarkFoldersToMove(draft.files.transferred.sources(inAssets: false))
        if let kept = draft.files.returning?.moves {
            try folder.checkThatAllAreKept(kept)
            if request.isUndoable { contents = try folder.contents(ofKept: kept) }
        }
        try folder.removeLeftovers(plan.leftoverFolders)
        try folder.makeNewFolders(
            plan.newFolders, marked: plan.marksNewFolders && kind != .unseen)
        newFolders = plan.newFolders
        for name in plan.emptyFolders { try fileSystem.removeFolder(name, in: folder.handle) }
        if plan.usesEmptyFolder { try folder.sync(folder.handle) }
        guard let transaction else { return }
        if !isStage, let staged = imports.first {
            try request.importing?.bring(staged, to: transaction)
        }
        contents = contents.merging(try makeFilledFolders(transaction)) { $1 }
    }

    /// Writes the intent durably; in a folder that nobody can see, it only syncs the staged files.
    func writeIntent(_ kind: Commit.Kind) throws {
        guard let transaction, transaction.isPrepared else { return }
        if kind == .unseen {
            own = try transaction.syncImports(request.importing)
        } else {
            own = try transaction.writeIntent(request.importing)
            try transaction.syncIntent()
        }
    }

    /// Rolls back the preparations on a full volume, and returns whether the commit can go on without an intent.
    ///
    /// The commit of an undo cannot: it compares the files that it removes while they are parked.
    func goOnWithoutIntent() throws -> Bool {
        guard draft.files.returning == nil, let prepared = transaction,
            let unprepared = try index.rollBackPreparation(of: prepared, keepingStage: isStage)
        else { return false }
        (transaction, own) = (unprepared, nil)
        return true
    }

    /// Moves the files to the places that they have after the commit.
    func moveFiles() throws { try transaction?.moveFiles(own) }

    /// Checks that the given names are still free, and that an undo finds its files unchanged.
    func check() throws {
        try transaction?.checkThatPlacesAreFree()
        if let returning = draft.files.returning { try transaction?.check(returning) }
        try folder.checkThatNoOtherIndexNeeds(plan.givenFolders, others: plan.others)
    }

    /// Writes the lines to the index: for the part of the home, this is the commit point.
    func writeLines(_ kind: Commit.Kind) throws {
        if kind == .joint {
            try index.commitPart(.durable)
            return index.accept(next, change, isDurable: true)
        }
        try index.write(next, change, moved: draft.changes.moved, durability)
    }

    private var durability: DirectoryOptions.Durability {
        // After a power loss, the old index must not return without the files that the transaction removed.
        return movesFiles || plan.marksNewFolders ? .durable : request.durability
    }

    /// Unmarks new folders and places parked ones, after the commit; recovery places one that fails.
    ///
    /// - Throws: In a folder that nobody can see, where no recovery follows: ``DirectoryError`` with `nameTaken`, and the
    ///   errors of the file system.
    func finish(_ kind: Commit.Kind) throws {
        if kind == .unseen { return try finishUnseen() }
        if plan.marksNewFolders {
            // Best effort: in the folder of an item, the mark means nothing.
            for name in plan.newFolders { try? folder.unmarkFolder(name) }
        }
        guard var transaction else { return }
        transaction.hideRemovedFolders()
        transaction.placeParked(next, index.reader)
        self.transaction = transaction
    }

    private func finishUnseen() throws {
        guard let transaction else { return }
        guard try transaction.placeFolders(next, index.reader, isCommitted: true) else {
            throw DirectoryError(
                .nameTaken, "change", folder.indexURL,
                "something else came to the folder of a container that was being made",
                people: .init(reason: "something else came into a new folder"))
        }
        try transaction.cleanUp(keepingStage: false)
    }

    /// Leaves the files to recovery: the state on disk is not known, or the write is not ended.
    func leaveToRecovery() {
        transaction?.needsRecovery = true
        if let transaction { live.remove(transaction.name) }
    }

    /// Whether the folder of the transaction is a stage, of imported files or with a copy, which stays after an error.
    private var isStage: Bool {
        request.stage != nil && transaction?.name == request.stage
    }

    /// Moves the files back after a failed commit.
    func rollBack(after error: any Error) {
        if let error = error as? DirectoryError, error.code == .inDoubt {
            // The next process that opens the index reconciles the files with the index on disk.
            index.known.commitFailure = CommitFailure(error)
            return
        }
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
                if own != nil { try transaction?.endParking(afterRollBack: true) }
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
