import FileSystem

extension Transaction {
    /// Whether the commit removes folders or files.
    var removesAny: Bool { !intent.removedFiles.isEmpty || intent.removesFolder }

    /// Moves the removed folders and files that no item owns any more to where they can wait.
    ///
    /// What stays, ``removeFiles(notIn:)`` removes.
    func keepRemoved(
        notIn names: OwnedNames<some Hashable & Sendable>, in kept: inout KeptFiles
    ) throws {
        let target = try folder.makeFolder(kept)
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
        return try fileSystem.moveIfPresent(name, in: source, to: hidden, in: target)
            ? hidden : nil
    }
}

extension Transaction {
    /// Checks that the removed folders have nothing in them but `contents`, by their names; one that is
    /// not named there was empty.
    ///
    /// They are parked by now, where other calls find them no more.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict`.
    func check(_ contents: [FileName: FolderDigest]) throws {
        for (name, present, parent) in try parkedRemovals {
            guard let inner = try fileSystem.openFolderIfPresent(present, in: parent),
                try FolderDigest(of: inner, folder.store) != contents[name] ?? FolderDigest()
            else { continue }
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", folder.indexURL,
                "something in the folder \(name) was added or changed since")
        }
    }

    /// Moves what comes back with the commit to the folder of this transaction.
    ///
    /// There it is treated as what any other transaction moves: the files are imports, and the folders are parked.
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
        let slots = try slotsOfRestored
        guard !restoring.files.isEmpty || !slots.isEmpty else { return }
        // The folder of the transaction is synced with the intent, and by `park`.
        let own = try openOrMakeOwn()
        for (slot, hidden) in slots {
            try fileSystem.moveIfPresent(hidden, in: source, to: slot, in: own)
        }
        for file in intent.imports {
            guard let hidden = restoring.files[file.asset] else { continue }
            try fileSystem.moveIfPresent(hidden, in: source, to: file.staged, in: own)
        }
    }

    /// Moves what should have come back to where it waited, after the commit has failed and
    /// ``reconcile(with:areAllKnown:)`` was called.
    func giveBack() throws {
        guard let restoring, let target = try folder.open(restoring) else { return }
        if let own = try folder.openFolder(name, in: IndexNames.staging) {
            for (slot, hidden) in try slotsOfRestored {
                try fileSystem.moveIfPresent(slot, in: own, to: hidden, in: target)
            }
            for file in intent.imports {
                guard let hidden = restoring.files[file.asset] else { continue }
                try fileSystem.moveIfPresent(file.staged, in: own, to: hidden, in: target)
            }
        }
    }
}
