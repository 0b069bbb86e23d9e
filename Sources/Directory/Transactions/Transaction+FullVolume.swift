import FileSystem

/// Removals on a full volume, on which no intent can be written.
///
/// The index is committed first, and the files are removed after it. If the process dies between
/// the two, the files are orphans, which a verification reports.
extension LockedIndex {
    /// Rolls back the preparation of `transaction` on a full volume, if it only removes files and folders, so that the
    /// commit can go on without an intent; returns whether it can.
    func doWithout(_ transaction: inout Transaction?, keepingStage: Bool) throws -> Bool {
        guard transaction?.intent.isRemoval == true, transaction?.isPrepared == true,
            (try? transaction?.reconcile(with: snapshot, reader, isCommitted: false)) == true,
            (try? transaction?.cleanUp(keepingStage: keepingStage)) != nil
        else { return false }
        transaction?.isPrepared = false
        // The commit may have begun to write to the index.
        try refresh()
        return true
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
