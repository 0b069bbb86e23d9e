import FileSystem

extension Transaction {
    /// Removes the files of removed assets; ``cleanUp(keepingStage:)`` makes that durable.
    ///
    /// A sync program can have brought one of them back to the folder of the seed library; a repair would take that for
    /// an asset without its item.
    func removeFiles(notIn names: OwnedNames) throws {
        let removed = intent.removedFiles.filter { !names.files.owns($0) }
        if removed.isEmpty { return }
        for (_, assets) in try folder.assetsFolders() {
            for name in removed {
                _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: assets) }
            }
        }
        if let seed = folder.names.seedAssets { folder.removeIfEmpty(seed) }
    }

    /// Removes the intent, then, unless `keepingStage`, the transaction's folder in `.staging`; needs no lock.
    ///
    /// If the intent is empty, this deletes the files that another process has removed for good or kept.
    func cleanUp(keepingStage: Bool) throws {
        if intent.isEmpty { return try folder.deleteRemoved(name) }
        for name in hiddenFolders { try fileSystem.removeTree(name, in: folder.handle) }
        if !intent.removedFiles.isEmpty, let assets = try folder.openFolder(folder.names.stem) {
            try fileSystem.sync(assets)
        }
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
}

extension IndexFolder {
    /// Whether the folder `name`, which has no intent, has removed or kept files of a process.
    func hasRemoved(_ name: FileName) throws -> Bool {
        let found = try fileSystem.unlessMissing {
            try openFolder(name, in: IndexNames.staging).map(fileSystem.list)
        }
        let isOfRemoved = { $0 == RemovalRecord.fileName || Transaction.isRemoved($0) }
        if found??.contains(where: isOfRemoved) == true { return true }
        guard let trash = try openFolder(IndexNames.trash) else { return false }
        return try fileSystem.status(of: name, in: trash) != nil
    }

    /// Deletes the removed files of the folder `name`; needs no lock.
    fileprivate func deleteRemoved(_ name: FileName) throws {
        try removeKept(name)
        guard let staging = try openFolder(IndexNames.staging),
            let own = try fileSystem.openFolderIfPresent(name, in: staging)
        else { return }
        let found = try fileSystem.status(of: own)
        for removed in try fileSystem.list(own) where Transaction.isRemoved(removed) {
            try fileSystem.removeTree(removed, in: own)
        }
        let isEmpty = try fileSystem.list(own).allSatisfy(StageOwner.isOwner)
        if try isEmpty || owner(of: own).isOver(lastChange: found.modificationDate) {
            try removeStage(name, in: staging)
        }
        removeIfEmpty(IndexNames.staging)
    }
}
