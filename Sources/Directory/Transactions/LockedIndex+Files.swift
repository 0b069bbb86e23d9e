import FileSystem

extension LockedIndex {
    /// Commits `draft`, and moves the files of its items with it.
    ///
    /// If this throws, the index and the files are as before, unless the code is `inDoubt`.
    ///
    /// - Returns: The transaction, whose files are to be cleaned up; nil if no files moved.
    func commit(_ draft: Draft, _ request: CommitRequest, _ live: LiveTransactions) throws
        -> Transaction?
    {
        let change = Change(from: snapshot.items, to: draft)
        let imports = try draft.imports + (request.restoring?.imports ?? [])
        guard !change.isEmpty || !imports.isEmpty || draft.damaged.count != snapshot.damaged.count
        else {
            if request.durability == .durable { try makeDurable() }
            return nil
        }
        try draft.checkThatItCanBeOpened()
        let returning = request.restoring.map { Array($0.folders.keys) } ?? []
        let plan = try NamePlan(
            change, from: snapshot, to: draft.items, in: folder, incoming: imports.map(\.asset),
            restored: Set(returning), migrated: draft.migrated)
        let next = Snapshot(
            items: draft.items, damaged: draft.damaged, names: LazyNames(plan.names))
        var intent = plan.intent(imports)
        let restored = returning.filter { name in
            !plan.parkedFolders.contains { $0.from == nil && $0.to == name }
        }
        // In the trash of the transaction, these are on their way in.
        intent.removedFolders += restored
        if !restored.isEmpty { intent.restoredFolders = restored }
        let hold = try holdFolders(of: intent, request.restoring)
        defer { withExtendedLifetime(hold) {} }
        var transaction = try transaction(for: intent, request, live)
        var newFolders: [FileName] = []
        do {
            try makeFolders(plan)
            newFolders = plan.newFolders
            if Item.self == Photo.self {
                try LegacyPhotos.moveFiles(of: plan.names.files, in: folder)
            }
            try transaction?.takeBack()
            try prepare(&transaction, request.importing?.step)
            try transaction?.checkThatPlacesAreFree()
            if let contents = request.expectedContents { try transaction?.check(contents) }
            try folder.checkThatNoOtherIndexNeeds(plan.givenFolders)
            // The files that a transaction removes cannot come back, so the old index must not
            // come back either.
            let isRelaxed = intent.isEmpty && !plan.marksNewFolders
            let durability = isRelaxed ? request.durability : .durable
            try commit(next, change, moved: draft.moved, durability)
        } catch {
            rollBack(
                transaction, newFolders, marked: plan.marksNewFolders, request, live, error)
            throw error
        }
        if plan.marksNewFolders {
            // Best effort: in the folder of an item, the mark means nothing.
            for name in plan.newFolders { try? folder.unmarkFolder(name) }
        }
        transaction?.hideRemovedFolders()
        if !restored.isEmpty { transaction?.moveRestored(next.names.value) }
        transaction?.placeParked(next, coding)
        return transaction
    }

    /// The transaction that moves the files of `intent`; nil if there are none.
    private func transaction(
        for intent: Intent, _ request: CommitRequest, _ live: LiveTransactions
    ) throws -> Transaction? {
        if intent.isEmpty { return nil }
        let stage = intent.imports.isEmpty ? nil : request.importing?.stage
        let name = try stage ?? store.names.transactionFolder()
        live.insert(name)
        return Transaction(
            folder: folder, name: name, intent: intent, restoring: request.restoring)
    }

    /// Gets the folders that `intent` moves ready to move, once nobody relies on their place; nil if
    /// it moves none.
    private func holdFolders(of intent: Intent, _ restoring: KeptFiles?) throws -> FolderHold? {
        let names =
            intent.removedFolders + intent.renamedFolders.map(\.from)
            + (intent.parkedFolders ?? []).compactMap(\.from)
        if names.isEmpty { return nil }
        return try store.options.retryingWhileBusy {
            var hold = FolderHold(on: fileSystem)
            try hold.keepInPlace(folder.handle)
            try hold.takeToMove(names, in: folder)
            if let restoring, let kept = try folder.open(restoring) {
                try hold.takeToMove(
                    Array(restoring.folders.values), in: IndexFolder(store: store, handle: kept))
            }
            return hold
        }
    }

    private func makeFolders(_ plan: NamePlan<Item>) throws {
        if !plan.givenFolders.isEmpty { try folder.syncTrash() }
        try folder.removeLeftovers(plan.leftoverFolders)
        try folder.makeNewFolders(plan.newFolders, marked: plan.marksNewFolders)
        if plan.usesEmptyFolder { try fileSystem.sync(folder.handle) }
    }

    /// Puts the files back after a commit failed.
    private func rollBack(
        _ transaction: Transaction?, _ newFolders: [FileName], marked: Bool,
        _ request: CommitRequest, _ live: LiveTransactions, _ error: any Error
    ) {
        if let error = error as? DirectoryError, error.code == .inDoubt {
            // The next process that opens the index reconciles the files with what is on disk.
            known.commitFailure = error
            return
        }
        let isImport = request.importing != nil && transaction?.intent.imports.isEmpty == false
        do {
            let areAllPlaced = try transaction?.unpark(snapshot, coding) != false
            try transaction?.reconcile(with: snapshot.names.value)
            try folder.removeNewFolders(newFolders, marked: marked)
            try transaction?.giveBack()
            try transaction?.checkThatAllIsBack(snapshot.names.value)
            if areAllPlaced {
                try transaction?.removeIntentIfParked()
                try transaction?.cleanUp(keepingStage: isImport)
            }
            if let transaction, !isImport || !areAllPlaced { live.remove(transaction.name) }
        } catch {
            // The first error is the one to report. Recovery finds the files that stay.
            if let transaction { live.remove(transaction.name) }
        }
    }
}
