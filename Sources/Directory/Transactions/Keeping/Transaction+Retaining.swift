import FileSystem

extension Transaction {
    /// Checks, before the commit, that ``retain(_:_:)`` can move the files of removed items to `own`.
    ///
    /// - Throws: ``DirectoryError`` with `crossVolume`.
    func checkThatFilesCanBeKept(in own: Handle) throws {
        guard let removal = intent.removal, removal.items.contains(where: { $0?.file != nil }),
            let assets = try folder.openFolder(folder.names.stem)
        else { return }
        if try !fileSystem.canMove(from: assets, to: own) {
            throw DirectoryError(
                .crossVolume, "keep removed files of", folder.indexURL,
                "its files are on another volume, or on another mount of the same one",
                remedy: "Open it without keepsRemoved, or unmount the folder of its files.",
                people: .init(usual: .crossVolume, operation: "remove items from"))
        }
    }

    /// Moves the removed items of the commit to `.removed`, if the intent has a record of them.
    ///
    /// The removed folders are in the transaction's folder already. The files are moved there, the intent becomes the
    /// record, and then the transaction's folder moves. If the process dies in between, recovery goes on.
    ///
    /// - Returns: False if there is no record, or if, by `snapshot`, the commit has not taken place.
    func retain(_ snapshot: Snapshot, _ reader: any ElementReader) throws -> Bool {
        guard isPrepared, let removal = intent.removal,
            let own = try folder.openFolder(name, in: IndexNames.staging),
            try removal.hasTakenPlace(
                in: snapshot, reader, isHere: { try fileSystem.status(of: $0, in: own) != nil })
        else { return false }
        let names = snapshot.names.value.files
        let files = removal.items.compactMap { $0?.file }.filter { !names.owns($0.name) }
        if !files.isEmpty, let assets = try folder.openFolder(folder.names.stem) {
            for file in files
            where try fileSystem.status(of: file.name, in: assets)?.kind == .file {
                try fileSystem.moveIfPresent(file.name, in: assets, to: file.slot, in: own)
            }
            try fileSystem.sync(own)
            try fileSystem.sync(assets)
        }
        try fileSystem.unlessMissing {
            try fileSystem.rename(
                Intent.fileName, in: own, to: RemovalRecord.fileName, in: own, replacing: true)
        }
        try fileSystem.sync(own)
        try folder.placeAmongRemoved(name)
        return true
    }
}

extension IndexFolder {
    /// Moves the folder `name` from `.staging` to `.removed`, if it has a record; needs no lock.
    ///
    /// - Returns: Whether it has a record.
    @discardableResult func placeAmongRemoved(_ name: FileName) throws -> Bool {
        guard let own = try openFolder(name, in: IndexNames.staging),
            let staging = try openFolder(IndexNames.staging),
            let record = try removalRecord(in: own)
        else { return false }
        let known = Set(record.owned.map(\.slot) + [RemovalRecord.fileName])
        // Files that an import left over.
        for other in try fileSystem.list(own) where !known.contains(other) {
            try fileSystem.removeTree(other, in: own)
        }
        for _ in 0..<100 {
            let isMoved: Void? = try fileSystem.unlessMissing {
                let removed = try openOrMake(IndexNames.removed)
                try fileSystem.move(name, in: staging, to: name, in: removed)
                // The new place must be durable before `.staging` is removed, here or by another process.
                try fileSystem.sync(removed)
            }
            // Another collection may have removed `.removed`, which was empty.
            if try isMoved != nil || fileSystem.status(of: name, in: staging) == nil { break }
        }
        removeIfEmpty(IndexNames.staging)
        return true
    }

    /// The record in the open folder `own`; nil if it is missing or incomplete.
    func removalRecord(in own: Handle) throws -> RemovalRecord? {
        try fileSystem.readAll(RemovalRecord.fileName, in: own).flatMap(Intent.init)?.removal
    }
}
