import FileSystem
import Synchronization

extension Core {
    /// Undoes the newest step, or makes it again, by a commit of its own; nil if there is no step.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if others changed the same items or
    ///   folders. Then nothing changes.
    func undoNewest(
        as recording: CommitRequest.Recording, _ durability: DirectoryOptions.Durability
    ) throws -> ElementChange? {
        let operation = recording == .redo ? "redo a change of" : "undo a change of"
        try refuseInsideAnyWrite(operation)
        commitEdits()
        guard history.step(to: recording) != nil else {
            try refuseIfClosed()
            return nil
        }
        let request = CommitRequest(
            durability: durability, operation: operation, recording: recording)
        return try describing(operation) {
            var change: ElementChange?
            let fault = fault(operation)
            do {
                try describingConflicts(operation) {
                    try write(request) { draft in
                        // Another thread may have undone the step meanwhile.
                        guard let step = history.step(to: recording) else { throw NoStep() }
                        let before = draft.elements
                        try insideWrite { try step.undo(in: &draft) }
                        if let fault { throw fault }
                        change = draft.change(from: before)
                    }
                }
                return change
            } catch is NoStep {
                return nil
            }
        }
    }

    private struct NoStep: Error {}

    /// The result of `body`; its conflicts become errors of the undo or redo.
    private func describingConflicts<Result>(_ operation: String, _ body: () throws -> Result)
        throws -> Result
    {
        do {
            return try body()
        } catch let error as DirectoryError
            where [.undoConflict, .assetMissing].contains(error.code)
        {
            throw DirectoryError(
                .undoConflict, operation, url, error.reason,
                underlying: error.code == .undoConflict ? error.underlying : error,
                people: .init(reason: error.wording.reason))
        } catch let error as DirectoryError
            where error.code == .nameTaken && error.remedy == error.code.remedy
        {
            // The usual remedy, another name, is not possible here.
            throw DirectoryError(
                .nameTaken, error.operation, error.url, error.reason, underlying: error.underlying,
                remedy: "Rename or remove what has the name, then try again.",
                people: .init(
                    operation: "\(operation) “\(store.names.stem)”, which needs the name",
                    reason: error.wording.reason))
        }
    }

    /// Records a step in the history, and removes the files that no step needs any more; `step` is nil if the change
    /// cannot be undone.
    func record(_ step: UndoStep?, _ request: CommitRequest, in folder: IndexFolder) {
        let released = history.record(step, as: request.recording)
        if released.isEmpty { return }
        background.begin {
            // Best effort: the rest is removed with the history.
            for trash in released { try? folder.removeKept(trash) }
        }
    }

    /// Moves the files that `transaction` has removed to the folder `owner` of this process in the
    /// trash.
    func keepRemoved(
        by transaction: Transaction, _ names: OwnedNames, in owner: FileName
    ) throws -> (kept: [Move], trash: FolderPath) {
        guard transaction.isPrepared, !transaction.needsRecovery else {
            throw DirectoryError(.noSpace, "keep files of", url, "they were removed at once")
        }
        LiveTransactions.keeping.insert(owner)
        let trash = [
            IndexNames.trash, owner, try FileName(validating: ".\(RandomName.digits())"),
        ]
        return (try transaction.keepRemoved(notIn: names, in: trash), trash)
    }
}

extension Core {
    /// Forgets all steps, and removes their kept files.
    func removeHistory() throws {
        try refuseInsideWrite("remove the undo history of")
        try refuseInsideAnyWrite("remove the undo history of")
        // No undo is under way while this thread has the writer.
        let owner = try withWriter { _ in history.clear() }
        if let owner { removeKept(owner) }
    }

    /// Forgets all steps and removes their kept files, if the collection is closed or has no
    /// `Directory` value any more.
    ///
    /// The writer must be locked, so that no undo is under way.
    func forgetHistory() {
        guard isClosed || handleCount.load(ordering: .acquiring) == 0,
            let owner = history.clear()
        else { return }
        background.begin { [self] in removeKept(owner) }
    }

    /// The same as ``forgetHistory()``; if another thread uses the core, the history is forgotten
    /// with the core.
    func forgetHistoryIfFree() {
        guard history.isOn else { return }
        // Nobody is told: this runs when the last handle is released, wherever that is.
        try? withWriter(ifFree: true, in: Call()) { _ in forgetHistory() }
    }

    /// Removes the kept files in the folder `owner` in the trash.
    ///
    /// Best effort: recovery removes the rest, also if the container is put back later.
    func removeKept(_ owner: FileName) {
        if let folder = try? openFolderIfUnmoved() { try? folder.removeKept(owner) }
        LiveTransactions.keeping.remove(owner)
    }
}
