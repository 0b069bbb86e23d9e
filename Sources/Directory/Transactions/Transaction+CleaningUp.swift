import FileSystem

extension Transaction {
    /// Removes the files of removed assets; ``cleanUp(keepingStage:)`` makes that durable.
    func removeFiles(notIn names: OwnedNames<some Hashable & Sendable>) throws {
        for assets in folder.store.assetFolders {
            guard let assets = try folder.openFolder(assets) else {
                continue
            }
            for name in intent.removedFiles where !names.files.owns(name) {
                _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: assets) }
            }
        }
        for legacy in folder.store.assetFolders.dropFirst() {
            folder.removeIfEmpty(legacy)
        }
    }

    /// Checks, after a commit that failed, that each folder which the index owns could be moved back.
    func checkThatAllIsBack(_ names: OwnedNames<some Hashable & Sendable>) throws {
        for rename in intent.renamedFolders
        where rename.from.folded != rename.to.folded && names.folders.owns(rename.from)
            && !names.folders.owns(rename.to)
        {
            let found = try [rename.from, rename.to].map {
                try fileSystem.status(of: $0, in: folder.handle)
            }
            guard !found.contains(nil) else { continue }
            throw DirectoryError(
                .nameTaken, "bring back", folder.handle.url(of: rename.from),
                "something else has this name",
                detail: "what comes back is in \(folder.handle.path(of: rename.to))",
                remedy: "Move or rename what has the name: then the next change brings it back.")
        }
    }

    /// Removes the intent, then, unless `keepingStage`, the transaction's folder in `.staging`; needs no lock.
    ///
    /// Its folder in `.trash` is removed first, if it is one of a process that has ended.
    func cleanUp(keepingStage: Bool) throws {
        for name in hiddenFolders { try fileSystem.removeTree(name, in: folder.handle) }
        if intent.isEmpty { try folder.removeKept(name) }
        try syncRemovedFiles()
        if let own = try folder.openFolder(name, in: IndexNames.staging) {
            _ = try fileSystem.unlessMissing {
                try fileSystem.removeFile(Intent.fileName, in: own)
            }
        }
        if !keepingStage,
            let staging = try folder.openFolder(IndexNames.staging)
        {
            try folder.removeStage(name, in: staging)
        }
        folder.removeIfEmpty(IndexNames.staging)
    }

    /// Makes durable what ``removeFiles(notIn:)`` has removed.
    func syncRemovedFiles() throws {
        if !intent.removedFiles.isEmpty, let assets = try folder.openFolder(folder.names.stem) {
            try fileSystem.sync(assets)
        }
    }
}
