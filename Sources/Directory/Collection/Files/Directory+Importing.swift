public import Foundation

extension Directory where Item: Asset {
    /// Copies the files at `urls` into the collection, each with the item that `make` returns.
    ///
    ///     try tracks.insert(copying: urls) { staged in Track(staged) }
    ///
    /// When this method returns, all items and files are in place and on disk. If it throws, or the
    /// process dies first, the collection has none of them. The files at `urls` stay as they are.
    /// All of them are checked before the first one is copied.
    ///
    /// - Parameters:
    ///   - urls: The URLs of regular files.
    ///   - progress: Counts bytes: half of each byte when it is copied, half when it is on stable
    ///     storage. Until the commit it can cancel the import.
    ///   - make: Returns the item for a copied file, with a `fileName` that no other item has.
    /// - Returns: The new items, in the order of `urls`.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`,
    ///   `notDownloaded`, `duplicateID`, `nameTaken` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(
        copying urls: [URL], progress: Progress? = nil, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try insert(copying: urls.map(CheckedSource.init), progress, make)
    }

    /// Copies each file at `urls` that can be read, and returns the others as skipped.
    ///
    ///     let (new, skipped) = try tracks.insert(copyingReadable: dropped) { Track($0) }
    ///     for file in skipped { report(file.error.localizedDescription) }
    ///
    /// Folders, links, missing files and files without permission are skipped; all are found before the first file is
    /// copied. Otherwise it does the same as `insert(copying:progress:_:)`.
    ///
    /// - Parameters:
    ///   - urls: The URLs of anything, such as the files that people drop on a window.
    ///   - progress: Counts bytes: half of each byte when it is copied, half when it is on stable
    ///     storage. Until the commit it can cancel the import.
    ///   - make: Returns the item for a copied file, with a `fileName` that no other item has.
    /// - Returns: The new items and the skipped files, both in the order of `urls`.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `duplicateID`, `nameTaken` and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
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

    /// The result of `body`, which is given a new stage; if `body` fails, the stage is discarded.
    func withStage<Result>(_ body: (Stage) throws -> Result) throws -> Result {
        let stage = try makeStage()
        do {
            return try body(stage)
        } catch {
            // Best effort: recovery removes a remaining stage.
            try? stage.discard()
            throw error
        }
    }

    /// Moves all files of `stage` into the collection, each with the item that `make` returns.
    ///
    /// When this method returns, all items and files are in place and on disk. If it throws, or the process dies
    /// first, the collection has none of them. After any error except `inDoubt`, every file is in the stage as before,
    /// and the insert can be tried again. If the disk fails when the staged files are synced, or during the roll-back,
    /// later inserts of the stage throw `stageClosed`.
    ///
    /// - Parameters:
    ///   - stage: A stage that this collection made, which takes no files until the call returns.
    ///   - progress: Counts the bytes that are on stable storage, with the second half of its units if it has counted
    ///     the copies of the stage before. Until the commit it can cancel the insert.
    ///   - make: Returns the item for a staged file, with a `fileName` that no other item has.
    /// - Returns: The new items, in the order of the stage.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `stageClosed`, `duplicateID`,
    ///   `nameTaken` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(
        _ stage: Stage, progress: Progress? = nil, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try insert(stage, counting: stage.copyProgress.ofInsert(progress), make)
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
