import FileSystem

extension Transaction {
    /// Brings the files and folders of the intent in line with `snapshot`, and syncs the moves.
    ///
    /// The procedure is the same after a commit that failed, and after a crash: each step checks whether there is
    /// anything left to do. What the index does not own stays for ``cleanUp(keepingStage:)``. If not all owners are
    /// known, because the index has damaged lines, files stay where they are.
    ///
    /// `isCommitted` says whether the commit has taken place; nil if only the items can tell.
    ///
    /// - Returns: Whether no folder has to wait.
    func reconcile<Item>(
        with snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>,
        isCommitted: Bool? = nil
    ) throws -> Bool {
        let areAllPlaced = try placeFolders(snapshot, coding, isCommitted: isCommitted)
        if isCommitted != nil || snapshot.areAllOwnersKnown,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        {
            try returnImports(snapshot.names.value, own)
        }
        // Also if nothing moved: a process that has died may have moved all and synced nothing.
        try fileSystem.sync(folder.handle)
        return areAllPlaced
    }

    /// Returns the imported files that the index does not own to the stage, or to where they waited.
    private func returnImports(_ names: OwnedNames<some Hashable & Sendable>, _ own: Handle)
        throws
    {
        let refused = intent.imports.filter { !names.files.owns($0.asset) }
        guard !refused.isEmpty,
            let assets = try folder.openFolder(folder.names.stem)
        else { return }
        var sources: [FolderPath: Handle] = [:]
        for file in refused {
            var source = own
            // What nobody keeps any more is removed with the transaction's folder.
            if let path = file.waiting, let kept = try sources[path] ?? folder.openKept(path) {
                (source, sources[path]) = (kept, kept)
            }
            guard let staged = try fileSystem.status(of: file.staged, in: source) else {
                try fileSystem.moveIfPresent(file.asset, in: assets, to: file.staged, in: source)
                continue
            }
            // A power loss can leave a file in both folders. Another file with its name stays.
            let asset = try fileSystem.status(of: file.asset, in: assets)
            if asset?.identity == staged.identity {
                try fileSystem.removeFile(file.asset, in: assets)
            }
        }
        for source in [own] + sources.values { try fileSystem.sync(source) }
        try fileSystem.sync(assets)
        try folder.removeAssetsFolderIfEmpty()
    }
}
