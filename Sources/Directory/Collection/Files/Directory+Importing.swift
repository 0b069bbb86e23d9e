public import Foundation

extension Directory where Item: Asset {
    /// Copies the files at `urls` into the collection, each with the item that `make` returns.
    ///
    ///     try tracks.insert(copying: urls) { staged in Track(staged) }
    ///
    /// When this method returns, all items and files are in place and on disk. If it throws, or the
    /// process dies first, the collection has none of them. The files at `urls` stay as they are.
    /// All of them are looked at before the first one is copied.
    ///
    /// - Parameters:
    ///   - urls: The URLs of regular files.
    ///   - progress: Counts bytes: half of each one when it is copied, half when it is on stable
    ///     storage. It can cancel the import until the commit.
    ///   - make: Returns the item for a copied file, with a `fileName` that no other item has.
    /// - Returns: The new items, in the order of `urls`.
    /// - Throws: What `make` throws; ``DirectoryError`` with `sourceMissing`, `sourceNotFile`,
    ///   `notDownloaded`, `accessDenied`, `deviceLocked`, `cancelled`, `duplicateID`, `nameTaken`, and
    ///   what `write(_:)` throws.
    @discardableResult
    public func insert(
        copying urls: [URL], progress: Progress? = nil, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try insert(copying: urls.map(CheckedSource.init), progress, make)
    }

    /// Copies those of the files at `urls` that can be read, and says which ones cannot.
    ///
    ///     let (new, skipped) = try tracks.insert(copyingReadable: dropped) { Track($0) }
    ///     for file in skipped { report(file.error.localizedDescription) }
    ///
    /// Folders, links, missing files and those that may not be read are left out; they are found before
    /// the first file is copied. All else is as for `insert(copying:progress:_:)`.
    ///
    /// - Parameters:
    ///   - urls: The URLs of anything, such as what people drop on a window.
    ///   - progress: Counts bytes: half of each one when it is copied, half when it is on stable
    ///     storage. It can cancel the import until the commit.
    ///   - make: Returns the item for a copied file, with a `fileName` that no other item has.
    /// - Returns: The new items and what was left out, both in the order of `urls`.
    /// - Throws: What `make` throws; ``DirectoryError`` with `cancelled`, `duplicateID`, `nameTaken`,
    ///   and what `write(_:)` throws.
    public func insert(
        copyingReadable urls: [URL], progress: Progress? = nil,
        _ make: (StagedAsset) throws -> Item
    ) throws -> (inserted: [Item], skipped: [SkippedFile]) {
        let (sources, skipped) = try CheckedSource.checkEach(urls)
        return (try insert(copying: sources, progress, make), skipped)
    }

    private func insert(
        copying sources: [CheckedSource], _ progress: Progress?,
        _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        let bytes = ByteProgress(progress, of: sources.byteCount, passes: 2)
        return try withStage { stage in
            _ = try stage.copy(sources, bytes)
            return try insert(stage, counting: bytes, make)
        }
    }

    /// The result of `body`; if it fails, the stage that it is given is discarded.
    func withStage<Result>(_ body: (Stage) throws -> Result) throws -> Result {
        let stage = try makeStage()
        do {
            return try body(stage)
        } catch {
            // Best effort: recovery removes a stage that stays.
            try? stage.discard()
            throw error
        }
    }

    /// Moves all files of `stage` into the collection, each with the item that `make` returns.
    ///
    /// When this method returns, all items and files are in place and on disk. If it throws, or
    /// the process dies first, the collection has none of them; after any error except `inDoubt`,
    /// every file is in the stage as before, and the insert can be tried again. If the disk fails while that
    /// is undone too, the stage is refused from then on (`stageClosed`).
    ///
    /// - Parameters:
    ///   - stage: A stage that this collection made, which takes no files until the call returns.
    ///   - progress: Counts the bytes that are on stable storage, and can cancel the insert until the
    ///     commit.
    ///   - make: Returns the item for a staged file, with a `fileName` that no other item has.
    /// - Returns: The new items, in the order of the stage.
    /// - Throws: What `make` throws; ``DirectoryError`` with `cancelled`, `stageClosed`,
    ///   `duplicateID`, `nameTaken`, and what `write(_:)` throws.
    @discardableResult
    public func insert(
        _ stage: Stage, progress: Progress? = nil, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try insert(stage, counting: ByteProgress(progress), make)
    }
}

extension Directory where Item: Asset {
    private func insert(
        _ stage: Stage, counting bytes: ByteProgress, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try insert(stage, bytes, "import files into") { assets in
            // Not under the lock of the index, because this may read the files.
            try assets.map { (item: try make($0), file: $0) }
        } by: { draft, new in
            try draft.append(new)
            return new.map(\.item)
        }
    }
}
