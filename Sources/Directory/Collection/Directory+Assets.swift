import FileSystem
public import Foundation

extension Directory where Item: Asset {
    /// The file of the item with `id`.
    ///
    /// The URL is valid until the item is removed, or a container above it is renamed, moved or
    /// removed. If the collection is in memory, in a ``MemoryVolume`` or a preview, the URL is that of
    /// a temporary file with the same bytes and extension, which is removed with the volume.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `assetMissing`
    ///   if its file is missing.
    public func url(of id: Item.ID) throws -> URL {
        try withAsset(of: id) { name, folder in
            try core.store.volume?.file(name, in: folder) ?? folder.url(of: name)
        }
    }

    /// The bytes of the file of the item with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `assetMissing`, `accessDenied` or
    ///   `ioFailure`.
    public func data(of id: Item.ID) throws -> Data {
        try withAsset(of: id) { name, folder in
            let fileSystem = core.fileSystem
            return Data(
                try fileSystem.readAll(fileSystem.openFile(name, in: folder, for: .read)))
        }
    }

    private func withAsset<Result>(
        of id: Item.ID, _ body: (FileName, Handle) throws -> Result
    ) throws -> Result {
        try core.loadIfNeeded()
        guard let item = core.snapshot.items[id: id] else {
            throw DirectoryError(
                .itemNotFound, "look for an asset of", url, "it holds no item with id \(id)")
        }
        return try core.describing("look for an asset of") {
            guard let name = NameRules.visible(item.fileName),
                let found = try core.openFolder(making: false)?.findAsset(name),
                // Another process can remove or move it now.
                let result = try core.fileSystem.unlessMissing({ try body(name, found.folder) })
            else {
                throw DirectoryError(
                    .assetMissing, "look for an asset of", url, "there is no file \(item.fileName)")
            }
            return result
        }
    }
}

extension Directory where Item: Asset {
    /// Makes a stage on this collection's volume.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved`, `accessDenied`, `noSpace`,
    ///   `readOnly` or `ioFailure`.
    public func makeStage() throws -> Stage {
        try core.describing("make a stage in") {
            guard let folder = try core.openFolder(making: true) else {
                throw core.folderIsMissing
            }
            return try Stage(in: folder, core.live) { [core] in
                _ = try core.openFolder(making: false)
            }
        }
    }

    /// Moves all files of `stage` into the collection, each with the item that `make` returns.
    ///
    /// When this method returns, all items and files are in place and on disk. If it throws, or
    /// the process dies first, the collection has none of them; after any error except `inDoubt`,
    /// every file is in the stage as before, and the insert can be tried again.
    ///
    /// - Parameters:
    ///   - stage: A stage that this collection made, which takes no files until the call returns.
    ///   - progress: Counts the files, and can cancel the insert until the commit.
    ///   - make: Returns the item for a staged file, with a `fileName` that no other item has.
    /// - Returns: The new items, in the order of the stage.
    /// - Throws: What `make` throws; ``DirectoryError`` with `cancelled`, `stageClosed`,
    ///   `duplicateID`, `nameTaken`, and what ``write(_:)`` throws.
    @discardableResult
    public func insert(
        _ stage: Stage, progress: Progress? = nil, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        guard core.live.contains(stage.name) else {
            throw DirectoryError(
                .stageClosed, "insert a stage into", url,
                "it was inserted or discarded, or belongs to another collection")
        }
        guard !stage.assets.isEmpty else {
            try stage.discard()
            return []
        }
        let assets = try stage.beginInsert()
        do {
            let items = try insert(assets, of: stage, progress: progress, make)
            stage.didInsert()
            return items
        } catch {
            stage.didFailToInsert()
            throw error
        }
    }

    private func insert(
        _ assets: [StagedAsset], of stage: Stage, progress: Progress?,
        _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        let items = try assets.map(make)
        progress?.totalUnitCount = Int64(assets.count)
        let index = url
        let files = try zip(assets, items).map { asset, item in
            Intent.Import(
                staged: asset.file, asset: try NameRules.check(item.fileName, in: core.folderURL))
        }
        let importing = Import(stage: stage.name, files: files) { [core] in
            // Several threads call this, and observers of the progress are code of the user.
            try core.insideWrite {
                if progress?.isCancelled == true || Task.isCancelled {
                    throw DirectoryError(
                        .cancelled, "insert into", index, "the import was cancelled")
                }
                progress?.completedUnitCount += 1
            }
        }
        let request = CommitRequest(
            durability: durability, operation: "insert a stage into", importing: importing)
        try core.commit(request) { draft in try draft.append(contentsOf: items) }
        return items
    }
}

extension Directory where Item: Asset {
    /// Moves items, with their files, to the end of `other`.
    ///
    /// When this method returns, `other` has the items and this collection does not, and both are on
    /// stable storage. If the process dies first, the same is true, or nothing has changed: the next
    /// process that loads or changes one of the two collections ends the transfer. Items keep their
    /// JSON byte for byte.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume`,
    ///   `containerRemoved`; `inDoubt` if the transfer could be neither ended nor undone; and what
    ///   ``write(_:)`` throws.
    public func transfer(_ ids: [Item.ID], to other: Directory<Item>) throws {
        try transferItems(ids, to: other)
    }
}
