import FileSystem

extension Transaction {
    /// Brings the files and folders of the intent in line with `snapshot`, and syncs the moves.
    ///
    /// The steps are the same for a roll back and a recovery: each one checks whether anything is left to do. Files
    /// that the index does not own are left to ``cleanUp(keepingStage:)``. In a recovery, imported files stay where
    /// they are if the index has damaged lines, because then not all owners are known.
    ///
    /// `isCommitted` says whether the commit has taken place; nil if only the items can tell.
    ///
    /// - Returns: False if a folder has to wait.
    func reconcile(
        with snapshot: Snapshot, _ reader: any ElementReader, isCommitted: Bool? = nil
    ) throws -> Bool {
        let areAllPlaced = try placeFolders(snapshot, reader, isCommitted: isCommitted)
        if isCommitted != nil || snapshot.areAllOwnersKnown,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        {
            try returnImports(snapshot.names.value, own)
        }
        // Also if nothing moved: a process that has died may have moved all and synced nothing.
        try fileSystem.sync(folder.handle)
        return areAllPlaced
    }

    /// Moves the imported files that the index does not own back to the stage, or to the kept files.
    private func returnImports(_ names: OwnedNames, _ own: Handle) throws {
        guard intent.imports.contains(where: { !$0.targets.allSatisfy(names.files.owns) }),
            let assets = try folder.openFolder(folder.names.stem)
        else { return }
        var sources: [FolderPath: Handle] = [:]
        for files in intent.imports where !files.targets.allSatisfy(names.files.owns) {
            var source = own
            // A file whose place among the kept files is gone is removed with the transaction's folder.
            if let path = files.from.kept, let kept = try sources[path] ?? folder.openKept(path) {
                (source, sources[path]) = (kept, kept)
            }
            for (name, asset) in files.pairs where !names.files.owns(asset) {
                do {
                    try fileSystem.moveIfPresent(asset, in: assets, to: name, in: source)
                } catch let error as FileSystemError where error.code == .fileExists {
                    // It has not moved. Another file has its name, and stays.
                }
            }
        }
        for source in [own] + sources.values { try fileSystem.sync(source) }
        try fileSystem.sync(assets)
        try folder.removeAssetsFolderIfEmpty()
    }
}
