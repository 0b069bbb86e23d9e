import FileSystem

extension Transaction {
    /// Whether the commit removes folders or files.
    var removesAny: Bool {
        !intent.removedFiles.isEmpty || removesParkedFolder
            || intent.removedFolders.contains { restoring?.folders[$0] == nil }
    }

    /// Moves the removed folders and files that no item owns any more to where they can wait.
    ///
    /// What stays, ``removeFiles(notIn:)`` removes.
    func keepRemoved(
        notIn names: OwnedNames<some Hashable & Sendable>, in kept: inout KeptFiles
    ) throws {
        let target = try folder.makeFolder(kept)
        if let trash = try folder.openFolder(name, in: IndexNames.trash) {
            for name in intent.removedFolders
            where !name.isHidden && !names.folders.owns(name) {
                kept.folders[name] = try keep(name, of: trash, in: target)
            }
        }
        for removed in try parkedRemovals {
            kept.folders[removed.name] = try keep(removed.slot, of: removed.parent, in: target)
        }
        for assets in folder.store.assetFolders {
            guard let assets = try folder.openFolder(assets) else { continue }
            for name in intent.removedFiles
            where kept.files[name] == nil && !names.files.owns(name) {
                guard try fileSystem.status(of: name, in: assets)?.kind == .file else { continue }
                kept.files[name] = try keep(name, of: assets, in: target)
            }
        }
    }

    /// Returns the hidden name; nil if `name` is missing.
    private func keep(_ name: FileName, of source: Handle, in target: Handle) throws -> FileName? {
        let hidden = try FileName(validating: ".\(RandomName.digits())")
        return try fileSystem.unlessMissing {
            try fileSystem.rename(name, in: source, to: hidden, in: target, replacing: false)
            return hidden
        }
    }
}

extension Transaction {
    /// Checks that the removed folders have nothing in them but `contents`, by their names; one that is
    /// not named there was empty.
    ///
    /// They are in the trash by now, where other calls find them no more.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict`.
    func check(_ contents: [FileName: FolderDigest]) throws {
        let trash = try folder.openFolder(name, in: IndexNames.trash) ?? folder.handle
        let removed =
            intent.removedFolders.filter { restoring?.folders[$0] == nil }.map { ($0, $0, trash) }
            + (try parkedRemovals)
        for (name, present, parent) in removed {
            guard let inner = try fileSystem.openFolderIfPresent(present, in: parent),
                try FolderDigest(of: inner, folder.store) != contents[name] ?? FolderDigest()
            else { continue }
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", folder.indexURL,
                "something in the folder \(name) was added or changed since")
        }
    }

    /// Moves what comes back with the commit to the folders of this transaction.
    ///
    /// There it is treated as what any other transaction moves: the files are imports, and a folder in
    /// the trash that an item owns after the commit is moved to its place.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if others have removed something of it.
    func takeBack() throws {
        guard let restoring else { return }
        guard let source = try folder.open(restoring),
            try (Array(restoring.folders.values) + restoring.files.values).allSatisfy({
                try fileSystem.status(of: $0, in: source) != nil
            })
        else {
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", folder.indexURL,
                "the files that it would bring back were removed")
        }
        // `prepare` syncs both folders.
        if !restoring.folders.isEmpty {
            let isShared = try folder.isShared
            _ = try folder.openOrMake(name, in: IndexNames.trash, durably: false) { own in
                for (name, hidden) in restoring.folders where !isParked(name) {
                    if !isShared {
                        // An empty folder that a crash left may have the name.
                        _ = try fileSystem.unlessMissing {
                            try fileSystem.removeFolder(name, in: folder.handle)
                        }
                    }
                    try move(hidden, in: source, to: name, in: own)
                }
            }
        }
        let slots = try slotsOfRestored
        guard !restoring.files.isEmpty || !slots.isEmpty else { return }
        _ = try folder.openOrMake(name, in: IndexNames.staging, durably: false) { own in
            if try fileSystem.list(own).isEmpty { try StageOwner.makeFile(in: own, of: folder) }
            for (slot, hidden) in slots { try move(hidden, in: source, to: slot, in: own) }
            for file in intent.imports {
                guard let hidden = restoring.files[file.asset] else { continue }
                try move(hidden, in: source, to: file.staged, in: own)
            }
        }
    }

    /// Moves the folders that come back to their places, after the commit.
    ///
    /// The commit has taken place: if this fails, recovery moves them.
    mutating func moveRestored(_ names: OwnedNames<some Hashable & Sendable>) {
        do { try reconcile(with: names) } catch { needsRecovery = true }
    }

    /// Moves what should have come back to where it waited, after the commit has failed and
    /// ``reconcile(with:areAllKnown:)`` was called.
    func giveBack() throws {
        guard let restoring, let target = try folder.open(restoring) else { return }
        if let own = try folder.openFolder(name, in: IndexNames.trash) {
            for (name, hidden) in restoring.folders {
                try move(name, in: own, to: hidden, in: target)
            }
        }
        if let own = try folder.openFolder(name, in: IndexNames.staging) {
            for (slot, hidden) in try slotsOfRestored {
                try move(slot, in: own, to: hidden, in: target)
            }
            for file in intent.imports {
                guard let hidden = restoring.files[file.asset] else { continue }
                try move(file.staged, in: own, to: hidden, in: target)
            }
        }
    }

    /// Moves a file or folder, unless that was done before.
    private func move(
        _ name: FileName, in source: Handle, to newName: FileName, in target: Handle
    ) throws {
        _ = try fileSystem.unlessMissing {
            try fileSystem.rename(name, in: source, to: newName, in: target, replacing: false)
        }
    }
}
