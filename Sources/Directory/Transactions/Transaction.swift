import FileSystem

/// The moves of files that belong to one commit: prepared before it, cleaned up after it, and
/// reconciled with the index after an error or a crash.
///
/// A transaction has a folder of its own in `.staging`, with its intent, the files on their way in, and parked
/// folders. All of this happens under the lock of the index, except ``cleanUp(keepingStage:)``.
struct Transaction: Sendable {
    /// The folder of the index.
    let folder: IndexFolder
    /// The name of the transaction's folder.
    let name: FileName
    let intent: Intent
    /// False if the volume was full: files and folders are then removed without an intent.
    var isPrepared = true
    /// The temporary names of removed folders that could not be parked.
    var hiddenFolders: [FileName] = []
    /// Whether the transaction's folder may still have something that the index owns; then only recovery may clean up.
    var needsRecovery = false

    var fileSystem: any FileSystem { folder.fileSystem }
}

extension Transaction {
    /// Moves the files to the places that they have after the commit.
    ///
    /// `own` is the folder that ``writeIntent(_:)`` or ``syncImports(_:)`` has returned. If `areSomeMoved`, a
    /// dead process has begun with this.
    func moveFiles(_ own: Handle?, areSomeMoved: Bool = false) throws {
        guard let own else { return }
        if !areSomeMoved { try checkThatFilesCanBeKept(in: own) }
        let haveFoldersMoved = try moveFolders(own, areSomeMoved)
        if !intent.imports.isEmpty { try moveIn(from: own, areSomeMoved) }
        if haveFoldersMoved, !intent.folders.isEmpty { try folder.sync(folder.handle) }
    }

    /// Syncs the staged files.
    ///
    /// - Returns: The transaction's folder in `.staging`.
    func syncImports(_ importing: Import?) throws -> Handle {
        let own =
            try intent.folders.allSatisfy { !$0.isParked }
            ? folder.openOrMake(name, in: IndexNames.staging) : openOrMakeOwn()
        let staged = intent.imports.filter { $0.from.kept == nil }.flatMap(\.names)
        try importing?.sync(staged, in: own)
        return own
    }

    /// Syncs the staged files, and writes the intent, which is not synced yet.
    ///
    /// - Returns: The transaction's folder in `.staging`.
    func writeIntent(_ importing: Import?) throws -> Handle {
        let own = try syncImports(importing)
        let file = try folder.makeFile(Intent.fileName, in: own)
        var intent = intent
        intent.machine = folder.options.machine
        try fileSystem.write(intent.encoded(), to: file, at: 0)
        return own
    }

    /// Opens the transaction's folder in `.staging`, and makes it and its owner file first if they are missing.
    func openOrMakeOwn() throws -> Handle {
        try folder.openOrMake(name, in: IndexNames.staging) { own in
            if try !fileSystem.list(own).contains(where: StageOwner.isOwner) {
                try StageOwner.makeFile(in: own, of: folder)
            }
        }
    }

    /// Whether the open folder of a transaction has an intent or a record of removed items.
    static func hasRecords(in own: Handle, on fileSystem: any FileSystem) throws -> Bool {
        try [Intent.fileName, RemovalRecord.fileName].contains {
            try fileSystem.status(of: $0, in: own) != nil
        }
    }

    /// Syncs the intent, or its removal.
    func makeDurable() throws { try folder.syncTransaction(name) }

    private func moveIn(from own: Handle, _ areSomeMoved: Bool) throws {
        let assets = try folder.openOrMake(folder.names.stem)
        var sources: [FolderPath: Handle] = [:]
        for files in intent.imports {
            let rest = try files.pairs.filter { _, asset in
                try !areSomeMoved || fileSystem.status(of: asset, in: assets) == nil
            }
            if rest.isEmpty { continue }
            var source = own
            if let path = files.from.kept {
                guard let kept = try sources[path] ?? folder.openKept(path) else {
                    throw folder.keptIsGone
                }
                (source, sources[path]) = (kept, kept)
            }
            for (name, asset) in rest {
                try fileSystem.move(name, in: source, to: asset, in: assets)
            }
        }
        try folder.sync(assets)
        // A file must not return to `.removed` after a power loss; the files in the trash are removed anyway.
        for (path, source) in sources where path.first != IndexNames.trash {
            try fileSystem.sync(source)
        }
    }
}
