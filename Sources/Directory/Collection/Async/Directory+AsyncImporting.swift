public import Foundation

/// If the task is cancelled before the commit, a method here that has a progress cancels the
/// import.
extension Directory where Item: Asset {
    /// Copies the files at `urls` into the collection, each with the item that `make` returns.
    ///
    /// - Returns: The new items, in the order of `urls`.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`,
    ///   `notDownloaded`, `nameTaken` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(
        copying urls: [URL], progress: Progress? = nil,
        _ make: @escaping @Sendable (StagedAsset) throws -> Item
    ) async throws -> [Item] {
        try await importing(progress) { directory, progress in
            try directory.insert(copying: urls, progress: progress, make)
        }
    }

    /// Copies each file at `urls` that can be read, and returns the others as skipped.
    ///
    /// - Returns: The new items and the skipped files, both in the order of `urls`.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `duplicateID`, `nameTaken` and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    public func insert(
        copyingReadable urls: [URL], progress: Progress? = nil,
        _ make: @escaping @Sendable (StagedAsset) throws -> Item
    ) async throws -> (inserted: [Item], skipped: [SkippedFile]) {
        try await importing(progress) { directory, progress in
            try directory.insert(copyingReadable: urls, progress: progress, make)
        }
    }

    /// Moves all files of `stage` into the collection, each with the item that `make` returns.
    ///
    /// - Returns: The new items, in the order of the stage.
    /// - Throws: The error of `make`, `CancellationError`, or ``DirectoryError`` with `stageClosed`, `duplicateID`,
    ///   `nameTaken` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(
        _ stage: Stage, progress: Progress? = nil,
        _ make: @escaping @Sendable (StagedAsset) throws -> Item
    ) async throws -> [Item] {
        try await importing(progress) { directory, progress in
            try directory.insert(stage, progress: progress, make)
        }
    }
}

extension Directory {
    /// Makes a stage on this collection's volume.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved`, `accessDenied`, `noSpace`, `readOnly`
    ///   or `ioFailure`.
    public func makeStage() async throws -> Stage {
        try await perform(behindCommits: true) { try $0.makeStage() }
    }

    /// Applies several changes as one, and gives files of `stage` to items: all of it, or nothing.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, `CancellationError`, or ``DirectoryError`` with `stageClosed`, `nameTaken` and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    public func write<Result: Sendable>(
        importing stage: Stage, progress: Progress? = nil,
        _ body: @escaping @Sendable (inout Draft, [StagedAsset]) throws -> Result
    ) async throws -> Result {
        try await importing(progress) { directory, progress in
            try directory.write(importing: stage, progress: progress, body)
        }
    }

    /// The result of `work`, whose progress is cancelled with the task.
    private func importing<Result: Sendable>(
        _ progress: Progress?,
        _ work: @escaping @Sendable (Directory, Progress) throws -> Result
    ) async throws -> Result {
        try await cancelling(progress) { progress in
            // Other commits need not wait until files are copied and synced.
            try await perform(behindCommits: true) { try work($0, progress) }
        }
    }
}

extension Directory where Item == Photo {
    /// Adds a photograph with the bytes of `data`; it is on disk when this method returns.
    ///
    /// - Returns: The new photograph.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ data: Data, name: String = "") async throws -> Photo {
        try await perform(behindCommits: true) { try $0.insert(data, name: name) }
    }

    /// Adds a photograph for each element of `datas`, all or none.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ datas: [Data]) async throws -> [Photo] {
        try await perform(behindCommits: true) { try $0.insert(datas) }
    }

    /// Adds a photograph that was staged in the system's temporary folder, and removes it from
    /// there.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ staged: StagedAsset) async throws -> Photo {
        try await perform(behindCommits: true) { try $0.insert(staged) }
    }

    /// Adds all of `staged`, or none.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ staged: [StagedAsset]) async throws -> [Photo] {
        try await perform(behindCommits: true) { try $0.insert(staged) }
    }

    /// Adds a photograph for each file of `stage`, all or none.
    ///
    /// - Returns: The new photographs, in the order of the stage.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `stageClosed`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ stage: Stage, progress: Progress? = nil) async throws -> [Photo] {
        try await insert(stage, progress: progress) { staged in Photo(staged) }
    }

    /// Copies the files at `urls` into the collection: all of them, or none.
    ///
    /// - Returns: The new photographs, in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`, and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(copying urls: [URL], progress: Progress? = nil) async throws -> [Photo] {
        try await insert(copying: urls, progress: progress) { Photo($0) }
    }

    /// Copies each file at `urls` that can be read, and returns the others as skipped.
    ///
    /// - Returns: The new photographs and the skipped files, both in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(copyingReadable urls: [URL], progress: Progress? = nil) async throws -> (
        inserted: [Photo], skipped: [SkippedFile]
    ) {
        try await insert(copyingReadable: urls, progress: progress) { Photo($0) }
    }

    /// Copies the file at `source` in place of the file of the photograph with `id`.
    ///
    /// - Returns: The photograph as it is now.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `itemNotFound`, `sourceMissing`, `sourceNotFile`,
    ///   `notDownloaded` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func replaceFile(
        of id: Photo.ID, copying source: URL, progress: Progress? = nil
    ) async throws -> Photo {
        try await cancelling(progress) { progress in
            try await perform(behindCommits: true) {
                try $0.replaceFile(of: id, copying: source, progress: progress)
            }
        }
    }
}

/// The result of `work`, whose progress is cancelled with the task.
func cancelling<Result: Sendable>(
    _ progress: Progress?, _ work: (Progress) async throws -> Result
) async throws -> Result {
    let progress = progress ?? Progress(totalUnitCount: 0)
    return try await withTaskCancellationHandler {
        try await work(progress)
    } onCancel: {
        progress.cancel()
    }
}
