import FileSystem

extension Transaction {
    /// Brings the files of the intent in line with an index that owns `names`, and syncs the moves.
    ///
    /// The procedure is the same after a commit that took place, after one that failed, and after a
    /// crash: each step checks whether there is anything left to do. What the index does not own
    /// stays for ``cleanUp(keepingStage:)``.
    ///
    /// If not all owners are known, because the index has damaged lines, only what `names` has moves.
    func reconcile(
        with names: OwnedNames<some Hashable & Sendable>, areAllKnown: Bool = true
    ) throws {
        if let own = try folder.openFolder(name, in: IndexNames.staging) {
            if areAllKnown { try returnImports(names, own) }
            for rename in intent.renamedFolders {
                let (from, to) =
                    names.folders.owns(rename.to)
                    ? (rename.from, rename.to) : (rename.to, rename.from)
                guard names.folders.owns(to), !names.folders.owns(from) else { continue }
                // A rename that changes only the case may have stopped half-way.
                for stranded in [from, to] { try bringBack(stranded, from: own, as: to) }
                try bringBack(from, from: folder.handle, as: to)
            }
        }
        // Also if nothing moved: a process that has died may have moved all and synced nothing.
        try fileSystem.sync(folder.handle)
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

    /// Moves `name` into the index's folder as `target`, unless `target` exists or `name` is missing.
    private func bringBack(_ name: FileName, from source: Handle, as target: FileName) throws {
        guard try fileSystem.status(of: target, in: folder.handle) == nil else { return }
        try fileSystem.moveIfPresent(name, in: source, to: target, in: folder.handle)
    }
}
