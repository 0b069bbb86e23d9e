import FileSystem

extension Transaction {
    /// Removes the files of removed assets; ``cleanUp(keepingStage:)`` makes that durable.
    ///
    /// Folders in the trash get random hidden names, so that recovery never takes one for the
    /// folder of a later item with the same name.
    func removeFiles(notIn names: OwnedNames<some Hashable & Sendable>) throws {
        if let trash = try folder.openFolder(name, in: IndexNames.trash) {
            try checkThatNoneIsNeeded(in: trash, names)
            for name in intent.removedFolders where !name.string.hasPrefix(".") {
                let hidden = try FileName(validating: ".\(RandomName.digits())")
                _ = try fileSystem.unlessMissing {
                    try fileSystem.rename(name, in: trash, to: hidden, in: trash, replacing: false)
                }
            }
        }
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
        if let trash = try folder.openFolder(name, in: IndexNames.trash) {
            try checkThatNoneIsNeeded(in: trash, names)
        }
        for rename in intent.renamedFolders
        where rename.from.folded != rename.to.folded && names.folders.owns(rename.from)
            && !names.folders.owns(rename.to)
        {
            let found = try [rename.from, rename.to].map {
                try fileSystem.status(of: $0, in: folder.handle)
            }
            if !found.contains(nil) { throw isTaken(rename.from, by: rename.to, in: folder.handle) }
        }
    }

    /// Checks that no folder that the index owns waits in the trash still, because something else has
    /// its name.
    ///
    /// The transaction stays until that is gone.
    private func checkThatNoneIsNeeded(
        in trash: Handle, _ names: OwnedNames<some Hashable & Sendable>
    ) throws {
        for name in intent.removedFolders where names.folders.owns(name) {
            guard let waiting = try fileSystem.status(of: name, in: trash) else { continue }
            // A power loss can leave a folder in both places.
            let found = try fileSystem.status(of: name, in: folder.handle)
            guard found?.identity == waiting.identity else {
                throw isTaken(name, by: name, in: trash)
            }
        }
    }

    private func isTaken(_ name: FileName, by waiting: FileName, in parent: Handle)
        -> DirectoryError
    {
        DirectoryError(
            .nameTaken, "bring back", folder.handle.url(of: name),
            "something else has this name",
            detail: "what comes back is in \(parent.path(of: waiting))",
            remedy: "Move or rename what has the name: then the next change brings it back.")
    }

    /// Removes the transaction's folder in `.trash`, then the intent, then, unless `keepingStage`,
    /// its folder in `.staging`; needs no lock.
    func cleanUp(keepingStage: Bool) throws {
        for name in hiddenFolders { try fileSystem.removeTree(name, in: folder.handle) }
        if let trash = try folder.openFolder(IndexNames.trash) {
            try fileSystem.removeTree(name, in: trash)
        }
        if !intent.removedFiles.isEmpty,
            let assets = try folder.openFolder(folder.names.stem)
        {
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
        folder.removeIfEmpty(IndexNames.trash)
        folder.removeIfEmpty(IndexNames.staging)
    }
}
