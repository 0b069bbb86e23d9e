public import Foundation

extension Directory where Item: Asset {
    /// Makes a stage on this collection's volume.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved`, `accessDenied`, `noSpace`,
    ///   `readOnly` or `ioFailure`.
    public func makeStage() throws -> Stage {
        try core.describing("prepare an import into") {
            guard let folder = try core.openFolder(making: true) else {
                throw core.folderIsMissing
            }
            return try Stage(in: folder, core.live) { [core] in
                _ = try core.openFolder(making: false)
            }
        }
    }

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
    /// every file is in the stage as before, and the insert can be tried again.
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

    /// Applies several changes as one, and gives files of `stage` to items: all of it, or nothing.
    ///
    /// Any item, new or old, can be given a staged file, at any position:
    ///
    ///     try photos.write(importing: stage) { draft, assets in
    ///         try draft.insert(Photo(assets[0]), at: 0, file: assets[0])
    ///         try draft.update(id: oldID, file: assets[1]) { $0.replaceFile(by: assets[1]) }
    ///     }
    ///
    /// A file that is replaced stays in place until the commit, and is removed after it; so the new
    /// one has another name. Staged files that no item gets are removed; their sources stay. If this
    /// method throws, the collection is as before; after any error except `inDoubt`, every file is in
    /// the stage as before.
    ///
    /// - Parameters:
    ///   - stage: A stage that this collection made, which takes no files until the call returns.
    ///   - progress: Counts the bytes that are on stable storage, and can cancel the write until the
    ///     commit.
    ///   - body: Changes the draft. It is called while other changes of the index wait.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; ``DirectoryError`` with `cancelled`, `stageClosed`, `nameTaken`,
    ///   and what `write(_:)` throws.
    public func write<Result>(
        importing stage: Stage, progress: Progress? = nil,
        _ body: (inout Draft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        try write(importing: stage, counting: ByteProgress(progress), body)
    }
}

extension Directory where Item: Asset {
    private func insert(
        _ stage: Stage, counting bytes: ByteProgress, _ make: (StagedAsset) throws -> Item
    ) throws -> [Item] {
        try commit(stage, bytes, "import files into") { assets in
            // Not under the lock of the index, because this may read the files.
            try assets.map { (item: try make($0), file: $0) }
        } by: { draft, new in
            try draft.append(new)
            return new.map(\.item)
        }
    }

    func write<Result>(
        importing stage: Stage, counting bytes: ByteProgress,
        _ body: (inout Draft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        try commit(stage, bytes, "import files into", preparing: \.self, by: body)
    }

    /// Commits a change that gives files of `stage` to items.
    ///
    /// `change` is called under the lock of the index, with what `prepare` returned before.
    private func commit<Prepared, Result>(
        _ stage: Stage, _ bytes: ByteProgress, _ operation: String,
        preparing prepare: ([StagedAsset]) throws -> Prepared,
        by change: (inout Draft, Prepared) throws -> Result
    ) throws -> Result {
        guard core.live.contains(stage.name) else {
            throw stage.refusal(operation, url)
        }
        let assets = try stage.beginInsert()
        do {
            let prepared = try prepare(assets)
            let (result, used) = try commit(assets, of: stage, bytes, operation) { draft in
                try change(&draft, prepared)
            }
            stage.didInsert(used)
            bytes.finish()
            return result
        } catch {
            stage.didFailToInsert()
            throw error
        }
    }

    /// Returns the result of `change`, and the files that items got.
    private func commit<Result>(
        _ assets: [StagedAsset], of stage: Stage, _ bytes: ByteProgress, _ operation: String,
        _ change: (inout Draft) throws -> Result
    ) throws -> (Result, used: [StagedAsset]) {
        let sizes = Dictionary(assets.map { ($0.file, $0.byteCount) }) { first, _ in first }
        let index = url
        let importing = Import(stage: stage.name) { [core] file in
            // Several threads call this, and observers of the progress are code of the user.
            try core.insideWrite { try bytes.count(sizes[file] ?? 0, of: index) }
        }
        let request = CommitRequest(
            durability: durability, operation: operation, importing: importing)
        return try core.commit(request) { draft in
            draft.stagedFiles = StagedFiles(assets)
            let result = try change(&draft)
            let used = draft.stagedFiles.given.map(\.file)
            bytes.beginLastPass(used.map(\.byteCount).sizeTogether)
            try bytes.checkCancellation(index)
            return (result, used)
        }
    }
}
