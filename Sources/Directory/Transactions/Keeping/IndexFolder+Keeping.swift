import FileSystem

/// A process that can undo changes keeps what these removed in a folder of its own in the trash, named
/// like that of a transaction. A hidden file in it names the process.
extension IndexFolder {
    /// Whether the folder `name` in the trash has what another change may bring back, because the
    /// process that keeps it may live.
    func isKept(_ name: FileName) throws -> Bool {
        guard let kept = try openFolder(name, in: IndexNames.trash),
            let owner = try keeper(of: kept)
        else { return false }
        let found = try fileSystem.status(of: kept)
        switch state(ofOwner: owner) {
        case .thisProcess: return LiveTransactions.keeping.contains(name)
        case let state: return !state.isOver(lastChange: found.modificationDate)
        }
    }

    /// Removes the file that names the process which keeps the folder `name` in the trash.
    ///
    /// From then on nothing in the folder can come back, if that process lives after all.
    func disown(_ name: FileName) throws {
        guard let kept = try openFolder(name, in: IndexNames.trash),
            let owner = try keeper(of: kept)
        else { return }
        _ = try fileSystem.unlessMissing { try fileSystem.removeFile(owner, in: kept) }
    }

    /// The file that names the process which keeps the open folder; nil if nobody does.
    func keeper(of kept: Handle) throws -> FileName? {
        try fileSystem.unlessMissing { try fileSystem.list(kept) }?
            .first(where: StageOwner.isHiddenOwner)
    }

    /// Opens the folder `kept.name` of this process; nil if others have removed it.
    func open(_ kept: KeptFiles) throws -> Handle? {
        guard let parent = try openFolder(kept.owner, in: IndexNames.trash),
            try fileSystem.status(of: StageOwner.hiddenFileName(on: options.machine), in: parent)
                != nil
        else { return nil }
        return try fileSystem.openFolderIfPresent(kept.name, in: parent)
    }

    /// What is in the folders of `kept`, by the names that they had; nothing changes it while they wait.
    func contents(of kept: KeptFiles) throws -> [FileName: FolderDigest] {
        guard let parent = try open(kept) else { return [:] }
        return try kept.folders.compactMapValues { hidden in
            try fileSystem.openFolderIfPresent(hidden, in: parent).map {
                try FolderDigest(of: $0, store)
            }
        }
    }

    /// Makes a folder for what a commit removed; the lock of the index must be held.
    ///
    /// Nothing is synced: after a power loss, what it has is treated as removed.
    func makeFolder(_ kept: KeptFiles) throws -> Handle {
        let parent = try openOrMake(kept.owner, in: IndexNames.trash)
        let owner = try StageOwner.hiddenFileName(on: options.machine)
        if try fileSystem.status(of: owner, in: parent) == nil {
            _ = try makeFile(owner, in: parent)
        }
        return try openOrMakeFolder(kept.name, in: parent)
    }

    /// Removes what the commit of `kept` removed for good; needs no lock.
    func remove(_ kept: KeptFiles) throws {
        guard let parent = try openFolder(kept.owner, in: IndexNames.trash) else { return }
        try fileSystem.removeTree(kept.name, in: parent)
    }

    /// Removes the folder of this process in the trash for good; needs no lock.
    func removeKept(_ owner: FileName) throws {
        guard let trash = try openFolder(IndexNames.trash) else { return }
        try fileSystem.removeTree(owner, in: trash)
        removeIfEmpty(IndexNames.trash)
    }
}
