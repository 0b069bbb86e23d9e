public import Foundation

extension Directory {
    /// Makes a stage on this collection's volume.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved`, `accessDenied`, `noSpace`,
    ///   `readOnly` or `ioFailure`.
    public func makeStage() throws -> Stage { try core.makeStage() }

    /// Applies several changes as one, and gives files of `stage` to items: all of it, or nothing.
    ///
    /// Any item, new or old, can be given a staged file, at any position:
    ///
    ///     try photos.write(importing: stage) { draft, assets in
    ///         try draft.insert(Photo(assets[0]), at: 0, file: assets[0])
    ///         try draft.update(id: oldID, file: assets[1]) { $0.replaceFile(by: assets[1]) }
    ///     }
    ///
    /// The items can also be in collections inside items, even inside new items, so that a project and its photographs
    /// are added together or not at all:
    ///
    ///     try projects.write(importing: stage) { draft, assets in
    ///         try draft.append(apollo)
    ///         try draft.write(.photos, of: apollo.id) { photos in
    ///             for asset in assets { try photos.append(Photo(asset), file: asset) }
    ///         }
    ///     }
    ///
    /// A replaced file stays in place until the commit, and is removed after it; so the new file needs another name.
    /// Staged files that no item gets are removed; their sources stay. If this method throws, the collection is as
    /// before; after any error except `inDoubt`, every file is in the stage as before. If the disk fails when
    /// the staged files are synced, or during the roll-back, later inserts of the stage throw `stageClosed`.
    ///
    /// - Parameters:
    ///   - stage: A stage that this collection made, which takes no files until the call returns.
    ///   - progress: Counts the bytes that are on stable storage, with the second half of its units if it has counted
    ///     the copies of the stage before. Until the commit it can cancel the write.
    ///   - body: Changes the draft while other changes of the index wait. It runs again, with all staged files free,
    ///     if it changes a collection inside an item, or the folder of an item, that another thread or process uses.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, `CancellationError`, or ``DirectoryError`` with `stageClosed`, `nameTaken` and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    public func write<Result>(
        importing stage: Stage, progress: Progress? = nil,
        _ body: (inout Draft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        try write(importing: stage, counting: stage.copyProgress.ofInsert(progress), body)
    }
}

extension Directory {
    func write<Result>(
        importing stage: Stage, counting bytes: ByteProgress,
        _ body: (inout Draft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        try insert(stage, bytes, "import files into", preparing: \.self, by: body)
    }

    /// Commits a change that gives files of `stage` to items.
    ///
    /// `prepare` is called first, without a lock. `change` is called with its result under the lock
    /// of the index.
    func insert<Prepared, Result>(
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
            let (result, used) = try insert(assets, of: stage, bytes, operation) { draft in
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
    private func insert<Result>(
        _ assets: [StagedAsset], of stage: Stage, _ bytes: ByteProgress, _ operation: String,
        _ change: (inout Draft) throws -> Result
    ) throws -> (Result, used: [StagedAsset]) {
        let sizes = Dictionary(assets.map { ($0.file, $0.byteCount) }) { first, _ in first }
        let importing = Import(stage, assets) { [core] file in
            // Several threads call this, and observers of the progress are code of the user.
            try core.insideWrite { try bytes.count(sizes[file] ?? 0) }
        }
        let request = CommitRequest(
            durability: durability, operation: operation, importing: importing, stage: stage.name)
        return try commit(request) { draft in
            let result = try change(&draft)
            let used = try draft.base.filesInOrder(of: assets)
            bytes.beginLastPass(used.map(\.byteCount).sizeTogether)
            try bytes.checkCancellation()
            return (result, used)
        }
    }
}

extension Core {
    /// Makes a stage on the volume of the collection.
    func makeStage() throws -> Stage {
        try describing("prepare an import into") {
            guard let folder = try openFolder(making: true) else { throw folderIsMissing }
            return try Stage(in: folder, live) { [self] in _ = try openFolder(making: false) }
        }
    }
}
