public import Foundation

extension Directory where Item == Photo {
    /// Adds a photograph with the bytes of `data`; it is on disk when this method returns.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - name: The original name, whose extension the file keeps.
    /// - Returns: The new photograph.
    /// - Throws: What ``write(_:)`` throws.
    @discardableResult
    public func insert(_ data: Data, name: String = "") throws -> Photo {
        let photos = try insertStaged { stage in try stage.write(data, name: name) }
        return photos[0]
    }

    /// Adds a photograph for each element of `datas`, all or none.
    ///
    /// - Throws: What ``write(_:)`` throws.
    @discardableResult
    public func insert(_ datas: [Data]) throws -> [Photo] {
        try insertStaged { stage in for data in datas { try stage.write(data) } }
    }

    /// Adds a photograph that was staged in the system's temporary folder, and removes it from
    /// there.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` if it is missing, and what ``write(_:)``
    ///   throws.
    @discardableResult
    public func insert(_ staged: StagedAsset) throws -> Photo {
        try insert([staged])[0]
    }

    /// Adds all of `staged`, or none.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing` if one is missing, and what ``write(_:)``
    ///   throws.
    @discardableResult
    public func insert(_ staged: [StagedAsset]) throws -> [Photo] {
        try insertStaged { stage in for asset in staged { try stage.move(asset) } }
    }

    /// Adds a photograph for each file of `stage`, all or none.
    ///
    /// - Throws: What ``insert(_:progress:_:)`` throws.
    @discardableResult
    public func insert(_ stage: Stage, progress: Progress? = nil) throws -> [Photo] {
        try insert(stage, progress: progress) { staged in Photo(staged) }
    }

    /// The bytes of the first photograph, nil if there is none.
    ///
    /// - Throws: What ``data(of:)`` throws.
    public func readFirst() throws -> Data? {
        try core.loadIfNeeded()
        return try items.first.map { try data(of: $0.id) }
    }

    private func insertStaged(_ fill: (Stage) throws -> Void) throws -> [Photo] {
        let stage = try makeStage()
        do {
            try fill(stage)
            return try insert(stage)
        } catch {
            // Best effort: recovery removes a stage that stays.
            try? stage.discard()
            throw error
        }
    }
}
