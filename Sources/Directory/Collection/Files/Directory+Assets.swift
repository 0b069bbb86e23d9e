import FileSystem
public import Foundation

extension Directory where Item: Asset {
    /// The file of the item with `id`.
    ///
    /// The URL is valid until the item is removed, or a container above it is renamed, moved or
    /// removed. If the collection is in memory, in a ``MemoryVolume`` or a preview, the URL is that
    /// of a temporary file with the same bytes and extension, which is removed with the volume.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `assetMissing` if its file is missing,
    ///   `unfinishedChange` if a process died while it moved the file, and nothing can be written there.
    public func url(of id: Item.ID) throws -> URL {
        try withAsset(of: id) { name, folder in
            try core.store.volume?.file(name, in: folder) ?? folder.url(of: name)
        }
    }

    /// The bytes of the file of the item with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `accessDenied` or `ioFailure`;
    ///   `assetMissing` if its file is missing, or another process is transferring the item; `unfinishedChange` if that
    ///   process died, and nothing can be written there.
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
        guard let item = currentItems[id: id] else {
            throw DirectoryError(
                .itemNotFound, "find the file of an item of", url, "it holds no item with id \(id)")
        }
        return try core.describing("find the file of an item of") {
            guard let name = NameRules.visible(item.fileName),
                let found = try core.openFolder(making: false)?.findAsset(name),
                // Another process can remove or move the file meanwhile.
                let result = try core.fileSystem.unlessMissing({ try body(name, found.folder) })
            else {
                if let error = try core.unendedMove() { throw error }
                throw DirectoryError(
                    .assetMissing, "find the file of an item of", url,
                    "there is no file \(item.fileName)",
                    remedy: "Get the file back from a backup; verify() lists all that are missing.",
                    people: .init(
                        missing: item.fileName, of: core.store.names,
                        remedy: DirectoryError.Code.assetMissing.advice))
            }
            return result
        }
    }
}

extension Directory where Item: Asset {
    /// Moves items, with their files, to the end of `other`.
    ///
    /// When this method returns, the items are in `other` and not in this collection, and both are
    /// on stable storage. If the process dies first, the transfer has taken place or nothing has
    /// changed: the next process that loads or changes one of the two collections completes or
    /// undoes it. An item keeps its JSON byte for byte, unless `change` changes it. `change` is
    /// called with each item.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume` and the [codes of
    ///   every change](doc:Errors#Codes-of-every-change). Its code is `inDoubt` also if the transfer could be neither
    ///   completed nor undone.
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>, _ change: ((inout Item) throws -> Void)? = nil
    ) throws {
        try transferItems(ids, to: other, change)
    }
}
