import FileSystem

/// The moves of files that belong to one commit: prepared before it, settled after it.
///
/// A transaction can have a folder of its own in `.staging`, which holds its intent and the files
/// on their way in, and one of the same name in `.trash`, with the folders on their way out. All
/// of it happens under the lock of the index.
struct Transaction {
    let store: IndexStore
    /// The folder of the index.
    let folder: Handle
    /// The name of the transaction's folder.
    let name: FileName
    let intent: Intent

    private var fileSystem: any FileSystem { store.fileSystem }
}

extension Transaction {
    /// Makes the intent durable, then moves the files to where they are after the commit.
    ///
    /// `step` is called before each file that comes in, so that it can report and cancel.
    func prepare(step: @escaping @Sendable () throws -> Void) throws {
        let own = intent.isForFile ? try writeIntent(step) : nil
        if let own, !intent.arrivals.isEmpty { try moveIn(from: own) }
        if !intent.removedFolders.isEmpty { try moveOut() }
        if let own {
            for rename in intent.renamedFolders {
                try move(rename.from, in: folder, to: rename.to, in: folder, by: own)
            }
        }
        if !(intent.removedFolders.isEmpty && intent.renamedFolders.isEmpty) {
            try fileSystem.sync(folder)
        }
    }

    /// Returns the transaction's folder.
    private func writeIntent(_ step: @escaping @Sendable () throws -> Void) throws -> Handle {
        let own = try store.openOrMake(name, in: IndexNames.staging, of: folder)
        try fileSystem.syncFiles(intent.arrivals.map(\.staged), in: own, before: step)
        let file = try fileSystem.openFile(
            Intent.fileName, in: own, for: .create(mode: store.options.filePermissions))
        try fileSystem.write(intent.encoded(), to: file, at: 0)
        try fileSystem.sync(file)
        try fileSystem.sync(own)
        return own
    }

    private func moveIn(from own: Handle) throws {
        let assets = try store.openOrMake(store.names.stem, in: folder)
        for arrival in intent.arrivals {
            try fileSystem.rename(
                arrival.staged, in: own, to: arrival.asset, in: assets, replacing: false)
        }
        try fileSystem.sync(assets)
    }

    private func moveOut() throws {
        let own = try store.openOrMake(name, in: IndexNames.trash, of: folder)
        try syncOlderTrash()
        for name in intent.removedFolders {
            _ = try fileSystem.unlessMissing {
                try fileSystem.rename(name, in: folder, to: name, in: own, replacing: false)
            }
        }
        try fileSystem.sync(own)
    }

    /// Makes durable that what still lies in the trash of older transactions was disowned, so that
    /// no power loss gives it the name of a folder that moves out now.
    private func syncOlderTrash() throws {
        guard let trash = try fileSystem.openFolderIfPresent(IndexNames.trash, in: folder) else {
            return
        }
        let others = try fileSystem.list(trash).filter(store.names.isTransactionFolder)
        for other in others where other != name {
            if let older = try store.openFolder(other, in: IndexNames.trash, of: folder) {
                try fileSystem.sync(older)
            }
        }
    }

    /// Moves a folder if it is there and its new name is free.
    ///
    /// Where the two names differ in case only, the new one seems taken on volumes that ignore
    /// case, so the folder goes there by way of the transaction's own folder.
    private func move(
        _ from: FileName, in source: Handle, to: FileName, in target: Handle, by own: Handle
    ) throws {
        _ = try fileSystem.unlessMissing {
            if from.folded == to.folded {
                try fileSystem.rename(from, in: source, to: from, in: own, replacing: false)
                try fileSystem.rename(from, in: own, to: to, in: target, replacing: false)
            } else {
                try fileSystem.rename(from, in: source, to: to, in: target, replacing: false)
            }
        }
    }
}

extension Transaction {
    /// Puts every file of the intent where an index that owns `names` says, and syncs the moves.
    ///
    /// This is the one procedure for a commit that took place, for one that failed and for one
    /// that died: each step looks whether there is anything left to do. What the index no longer
    /// owns stays for ``cleanUp(keepingStage:)``.
    func settle(by names: OwnedNames<some Hashable & Sendable>) throws {
        var moved = false
        if let own = try store.openFolder(name, in: IndexNames.staging, of: folder) {
            try settleArrivals(names, own)
            for rename in intent.renamedFolders {
                let (from, to) =
                    names.folders.owns(rename.to)
                    ? (rename.from, rename.to) : (rename.to, rename.from)
                guard names.folders.owns(to), !names.folders.owns(from) else { continue }
                // The middle of a rename in case only.
                for stranded in [from, to] {
                    moved = try bringBack(stranded, from: own, as: to) || moved
                }
                moved = try bringBack(from, from: folder, as: to) || moved
            }
        }
        if let trash = try store.openFolder(name, in: IndexNames.trash, of: folder) {
            for name in intent.removedFolders where names.folders.owns(name) {
                moved = try bringBack(name, from: trash, as: name) || moved
            }
        }
        if moved { try fileSystem.sync(folder) }
    }

    private func settleArrivals(_ names: OwnedNames<some Hashable & Sendable>, _ own: Handle)
        throws
    {
        let refused = intent.arrivals.filter { !names.files.owns($0.asset) }
        guard !refused.isEmpty,
            let assets = try fileSystem.openFolderIfPresent(store.names.stem, in: folder)
        else { return }
        for arrival in refused {
            guard let staged = try fileSystem.status(of: arrival.staged, in: own) else {
                _ = try fileSystem.unlessMissing {
                    try fileSystem.rename(
                        arrival.asset, in: assets, to: arrival.staged, in: own, replacing: false)
                }
                continue
            }
            // Power loss can leave a file in both folders; what else has its name stays.
            let asset = try fileSystem.status(of: arrival.asset, in: assets)
            if asset?.identity == staged.identity {
                try fileSystem.removeFile(arrival.asset, in: assets)
            }
        }
        try fileSystem.sync(own)
        try fileSystem.sync(assets)
    }

    /// Moves `name` into the index's folder as `target`, unless that exists or `name` does not.
    private func bringBack(_ name: FileName, from source: Handle, as target: FileName) throws
        -> Bool
    {
        guard
            try fileSystem.status(of: name, in: source) != nil,
            try fileSystem.status(of: target, in: folder) == nil
        else { return false }
        try fileSystem.rename(name, in: source, to: target, in: folder, replacing: false)
        return true
    }
}

extension Transaction {
    /// Removes the files of removed assets: their bytes are gone when this returns, their names
    /// for certain after ``cleanUp(keepingStage:)``.
    ///
    /// Folders in the trash lose their names, so that they never stand in for a folder that a
    /// later item with the same name has.
    func removeFiles(notIn names: OwnedNames<some Hashable & Sendable>) throws {
        if let trash = try store.openFolder(name, in: IndexNames.trash, of: folder) {
            for name in intent.removedFolders where !name.string.hasPrefix(".") {
                let hidden = try FileName(validating: ".\(IndexNames.newTransaction())")
                _ = try fileSystem.unlessMissing {
                    try fileSystem.rename(name, in: trash, to: hidden, in: trash, replacing: false)
                }
            }
        }
        for assets in store.assetFolderNames {
            guard let assets = try fileSystem.openFolderIfPresent(assets, in: folder) else {
                continue
            }
            for name in intent.removedFiles where !names.files.owns(name) {
                _ = try fileSystem.unlessMissing { try fileSystem.removeFile(name, in: assets) }
            }
        }
        for legacy in store.assetFolderNames.dropFirst() {
            store.removeIfEmpty(legacy, in: folder)
        }
    }

    /// Removes what the transaction left in `.trash` and in `.staging`, the intent last.
    func cleanUp(keepingStage: Bool) throws {
        if let trash = try fileSystem.openFolderIfPresent(IndexNames.trash, in: folder) {
            try fileSystem.removeTree(name, in: trash)
        }
        if !intent.removedFiles.isEmpty,
            let assets = try fileSystem.openFolderIfPresent(store.names.stem, in: folder)
        {
            try fileSystem.sync(assets)
        }
        if let own = try store.openFolder(name, in: IndexNames.staging, of: folder) {
            _ = try fileSystem.unlessMissing {
                try fileSystem.removeFile(Intent.fileName, in: own)
            }
        }
        if !keepingStage,
            let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder)
        {
            try fileSystem.removeTree(name, in: staging)
        }
        store.removeIfEmpty(IndexNames.trash, in: folder)
        store.removeIfEmpty(IndexNames.staging, in: folder)
    }

    /// Removes this half of a transfer for certain.
    ///
    /// One that came back after a power loss could no longer find the other half where a
    /// container above either of them was renamed meanwhile.
    func end() throws {
        try cleanUp(keepingStage: false)
        if let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder) {
            try fileSystem.sync(staging)
        }
        try fileSystem.sync(folder)
    }
}

extension IndexStore {
    /// The folder `name`, made and synced into `folder` first where there is none.
    func openOrMake(_ name: FileName, in folder: Handle) throws -> Handle {
        if let existing = try fileSystem.openFolderIfPresent(name, in: folder) { return existing }
        let made = try fileSystem.openOrMakeFolder(
            name, in: folder, mode: options.folderPermissions)
        try fileSystem.sync(folder)
        return made
    }

    /// The folder `name` in the folder `parent` of `folder`, both made first where needed.
    ///
    /// Again while another transaction removes the parent, which it does when that is empty.
    func openOrMake(_ name: FileName, in parent: FileName, of folder: Handle) throws -> Handle {
        for _ in 0..<100 {
            let made = try fileSystem.unlessMissing {
                try openOrMake(name, in: openOrMake(parent, in: folder))
            }
            if let made { return made }
        }
        throw FileSystemError("make folder", folder.path(of: parent), .noSuchFile)
    }

    /// The folder `name` in the folder `parent` of `folder`, nil where there is none, but perhaps
    /// something else.
    func openFolder(_ name: FileName, in parent: FileName, of folder: Handle) throws -> Handle? {
        guard let parent = try fileSystem.openFolderIfPresent(parent, in: folder),
            try fileSystem.status(of: name, in: parent)?.kind == .folder
        else { return nil }
        return try fileSystem.openFolderIfPresent(name, in: parent)
    }

    /// Best effort: another transaction may be using the folder, which then stays.
    func removeIfEmpty(_ name: FileName, in folder: Handle) {
        try? fileSystem.removeFolder(name, in: folder)
    }

    /// The folders that the assets of the index may lie in, the one for new ones first.
    ///
    /// The seed library kept photographs in `Photos`.
    var assetFolderNames: [FileName] {
        names.stem == "photos" ? [names.stem, "Photos"] : [names.stem]
    }
}
