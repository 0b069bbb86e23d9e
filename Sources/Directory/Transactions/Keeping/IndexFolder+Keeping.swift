import FileSystem

/// A process with an undo history keeps removed files in a folder of its own in the trash, with a name like that of a
/// transaction's folder. A hidden file in it names the process.
extension IndexFolder {
    /// Whether an undo may still bring back files from the folder `name` in the trash, because the process that keeps
    /// them may live.
    func isKept(_ name: FileName, byOtherMachines: Bool = true) throws -> Bool {
        guard let kept = try openFolder(name, in: IndexNames.trash),
            let owner = try keeper(of: kept)
        else { return false }
        let found = try fileSystem.status(of: kept)
        switch state(ofOwner: owner) {
        case .thisProcess: return LiveTransactions.keeping.contains(name)
        case .otherMachine: return byOtherMachines
        case let state: return !state.isOver(lastChange: found.modificationDate)
        }
    }

    /// Removes the file that names the process which keeps the folder `name` in the trash.
    ///
    /// If that process still lives, it can bring nothing back from the folder any more.
    func disown(_ name: FileName) throws {
        guard let kept = try openFolder(name, in: IndexNames.trash),
            let owner = try keeper(of: kept)
        else { return }
        _ = try fileSystem.unlessMissing { try fileSystem.removeFile(owner, in: kept) }
    }

    /// The file that names the process which keeps the open folder; nil if there is none.
    func keeper(of kept: Handle) throws -> FileName? {
        try fileSystem.unlessMissing { try fileSystem.list(kept) }?
            .first(where: StageOwner.isHiddenOwner)
    }

    /// Opens the folder at `path` with kept files; nil if another process removed it, or may remove it.
    func openKept(_ path: FolderPath) throws -> Handle? {
        guard let top = path.first, [IndexNames.trash, IndexNames.removed].contains(top) else {
            return nil
        }
        if top == IndexNames.trash {
            let parent = try fileSystem.openFolder(Array(path.prefix(2)), in: handle)
            let owner = try StageOwner.hiddenFileName(on: options.machine)
            guard let parent, try fileSystem.status(of: owner, in: parent) != nil else {
                return nil
            }
        }
        guard let kept = try fileSystem.openFolder(path, in: handle) else { return nil }
        // Without its record, such a folder is being deleted.
        let isGone =
            try top == IndexNames.removed
            && fileSystem.status(of: RemovalRecord.fileName, in: kept) == nil
        return isGone ? nil : kept
    }

    /// Checks that all folders and files that `moves` bring back still exist.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict`.
    func checkThatAllAreKept(_ moves: [Move]) throws {
        for move in moves {
            let source = try move.from.kept.flatMap(openKept)
            for name in move.names {
                let found = try source.flatMap { try fileSystem.status(of: name, in: $0) }
                if found == nil { throw keptIsGone }
            }
        }
    }

    var keptIsGone: DirectoryError {
        DirectoryError(
            .undoConflict, "undo or redo a change of", indexURL,
            "the files that it would bring back were removed",
            people: .init(reason: "the files that it would bring back were removed"))
    }

    /// The digests of the containers' folders that `moves` bring back, by the names that they get; no call changes a
    /// kept folder.
    func contents(ofKept moves: [Move]) throws -> [FileName: FolderDigest] {
        var contents: [FileName: FolderDigest] = [:]
        for move in moves.ofContainers {
            guard let parent = try move.from.kept.flatMap(openKept) else { continue }
            for (name, newName) in move.pairs {
                contents[newName] = try fileSystem.openFolderIfPresent(name, in: parent).map {
                    try FolderDigest(of: $0, store)
                }
            }
        }
        return contents
    }

    /// Makes the folder at `path`, in that of this process in the trash, for the files that a commit removed; the lock of
    /// the index must be held.
    ///
    /// Nothing is synced: after a power loss, the files in it count as removed.
    func makeKept(_ path: FolderPath) throws -> Handle {
        let parent = try openOrMake(path[1], in: path[0])
        let owner = try StageOwner.hiddenFileName(on: options.machine)
        if try fileSystem.status(of: owner, in: parent) == nil {
            _ = try makeFile(owner, in: parent)
        }
        return try openOrMakeFolder(path[2], in: parent)
    }

    /// Removes the folder at `path` in the trash and its contents for good; needs no lock.
    func removeKept(_ path: FolderPath) throws {
        guard let name = path.last,
            let parent = try fileSystem.openFolder(path.dropLast(), in: handle)
        else { return }
        try fileSystem.removeTree(name, in: parent)
    }

    /// Removes the folder of this process in the trash for good; needs no lock.
    func removeKept(_ owner: FileName) throws {
        try removeKept([IndexNames.trash, owner])
        removeIfEmpty(IndexNames.trash)
    }
}
