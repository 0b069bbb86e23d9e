import FileSystem

/// Removals on a full volume, on which no intent can be written.
///
/// The index is committed first, and the files are removed after it. If the process dies between
/// the two, the files are orphans, which a verification reports.
extension LockedIndex {
    /// Rolls back the preparation of `transaction` on a full volume, if it only removes files and folders, so that the
    /// commit can go on without an intent.
    ///
    /// - Returns: The transaction without its preparation; nil if the commit cannot go on.
    func rollBackPreparation(of transaction: Transaction, keepingStage: Bool) throws -> Transaction?
    {
        guard transaction.intent.isRemoval, transaction.isPrepared,
            (try? transaction.reconcile(with: snapshot, reader, isCommitted: false)) == true,
            (try? transaction.cleanUp(keepingStage: keepingStage)) != nil
        else { return nil }
        var unprepared = transaction
        unprepared.isPrepared = false
        // The commit may have begun to write to the index.
        try refresh()
        return unprepared
    }
}

extension Transaction {
    /// Gives the removed folders temporary names, after a commit without an intent.
    ///
    /// Best effort: a folder that keeps its name is an orphan.
    mutating func hideRemovedFolders() {
        guard !isPrepared else { return }
        for name in intent.folders.compactMap(\.from) {
            guard let hidden = try? folder.names.newTemporary(),
                (try? fileSystem.move(name, in: folder.handle, to: hidden, in: folder.handle))
                    != nil
            else { continue }
            hiddenFolders.append(hidden)
        }
    }
}

extension Intent {
    /// Whether the intent only removes files and folders.
    fileprivate var isRemoval: Bool {
        self
            == Intent(removedFiles: removedFiles, folders: folders, removal: removal)
            && folders.allSatisfy { $0.to == nil }
    }
}
