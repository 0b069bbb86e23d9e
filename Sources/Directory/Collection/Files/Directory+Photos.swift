public import Foundation

extension Directory where Item == Photo {
    /// Adds a photograph with the bytes of `data`; it is on disk when this method returns.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - name: The original name, whose extension the file keeps.
    /// - Returns: The new photograph.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ data: Data, name: String = "") throws -> Photo {
        let photos = try insertStaged { stage in try stage.write(data, name: name) }
        return photos[0]
    }

    /// Adds a photograph for each element of `datas`, all or none.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ datas: [Data]) throws -> [Photo] {
        try insertStaged { stage in for data in datas { try stage.write(data) } }
    }

    /// Adds a photograph that was staged in the system's temporary folder, and removes it from
    /// there.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` if the file is missing, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ staged: StagedAsset) throws -> Photo {
        try insert([staged])[0]
    }

    /// Adds all of `staged`, or none.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` if a file is missing, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ staged: [StagedAsset]) throws -> [Photo] {
        try insertStaged { stage in for asset in staged { try stage.move(asset) } }
    }

    /// Adds a photograph for each file of `stage`, all or none.
    ///
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `stageClosed`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(_ stage: Stage, progress: Progress? = nil) throws -> [Photo] {
        try insert(stage, progress: progress) { staged in Photo(staged) }
    }

    /// Copies the files at `urls` into the collection: all of them, or none.
    ///
    /// - Parameters:
    ///   - urls: The URLs of regular files, which stay as they are.
    ///   - progress: Counts bytes: half of each byte when it is copied, half when it is on stable
    ///     storage. Until the commit it can cancel the import.
    /// - Returns: The new photographs, in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`, and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func insert(copying urls: [URL], progress: Progress? = nil) throws -> [Photo] {
        try insert(copying: urls, progress: progress) { staged in Photo(staged) }
    }

    /// Copies each file at `urls` that can be read, and returns the others as skipped.
    ///
    /// - Returns: The new photographs and the skipped files, both in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(copyingReadable urls: [URL], progress: Progress? = nil) throws -> (
        inserted: [Photo], skipped: [SkippedFile]
    ) {
        try insert(copyingReadable: urls, progress: progress) { staged in Photo(staged) }
    }

    /// Copies the file at `source` in place of the file of the photograph with `id`.
    ///
    /// The id, the position and the name stay; the new file has another ``Photo/fileName``.
    ///
    /// - Returns: The photograph as it is now.
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `sourceMissing`, `sourceNotFile`, `notDownloaded` and the
    ///   [codes of every change](doc:Errors#Codes-of-every-change). Then the photograph keeps its file.
    @discardableResult
    public func replaceFile(
        of id: Photo.ID, copying source: URL, progress: Progress? = nil
    ) throws -> Photo {
        let sources = try [CheckedSource(source)]
        let bytes = ByteProgress(progress, of: sources.byteCount, passes: 2)
        return try withStage { stage in
            let staged = try stage.copy(sources, bytes)[0]
            return try write(importing: stage, counting: bytes) { draft, _ in
                try draft.update(id: id, file: staged) { $0.replaceFile(by: staged) }
            }
        }
    }

    /// The bytes of the first photograph; nil if the collection is empty.
    ///
    /// - Throws: ``DirectoryError`` with `assetMissing`, `accessDenied` or `ioFailure`.
    public func readFirst() throws -> Data? {
        try core.loadIfNeeded()
        return try items.first.map { try data(of: $0.id) }
    }

    private func insertStaged(_ fill: (Stage) throws -> Void) throws -> [Photo] {
        try withStage { stage in
            try fill(stage)
            return try insert(stage)
        }
    }
}
