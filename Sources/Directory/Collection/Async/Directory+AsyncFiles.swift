public import Foundation

extension Directory where Item: Container {
    /// The folder of the item with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `invalidName` and the [codes of every
    ///   load](doc:Errors#Codes-of-every-load).
    public func folder(of id: Item.ID) async throws -> URL {
        try await perform(behindCommits: true) { try $0.folder(of: id) }
    }

    /// Opens a collection inside the item with `id`.
    ///
    ///     let photos = try await projects.child(.photos, of: project.id)
    ///
    /// - Parameters:
    ///   - child: The name and the item type of the collection.
    ///   - id: The id of an item.
    ///   - options: How to write and read the collection; nil for the options of this value.
    /// - Returns: The collection, which is not loaded yet.
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `invalidName`, `nameTaken`, `invalidLocation`, `optionsDiffer`
    ///   and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func child<C>(
        _ child: Child<C>, of id: Item.ID, options: DirectoryOptions? = nil
    ) async throws -> Directory<C> {
        try await perform(behindCommits: true) {
            try $0.child(child, of: id, options: options)
        }
    }

    /// Moves items, with their folders and everything in them, to the end of `other`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume`, `invalidLocation`
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>,
        _ change: (@Sendable (inout Item) throws -> Void)? = nil
    ) async throws {
        try await perform { try $0.transferItems(ids, to: other, change) }
    }
}

extension Directory where Item: Asset {
    /// The file of the item with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` or `assetMissing`.
    public func url(of id: Item.ID) async throws -> URL {
        try await perform(behindCommits: true) { try $0.url(of: id) }
    }

    /// The bytes of the file of the item with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `assetMissing`, `accessDenied` or
    ///   `ioFailure`.
    public func data(of id: Item.ID) async throws -> Data {
        try await perform(behindCommits: true) { try $0.data(of: id) }
    }

    /// Moves items, with their files, to the end of `other`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume` and the [codes of
    ///   every change](doc:Errors#Codes-of-every-change).
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>,
        _ change: (@Sendable (inout Item) throws -> Void)? = nil
    ) async throws {
        try await perform { try $0.transferItems(ids, to: other, change) }
    }
}

extension Directory where Item == Photo {
    /// The bytes of the first photograph; nil if the collection is empty.
    ///
    /// - Throws: ``DirectoryError`` with `assetMissing`, `accessDenied` or `ioFailure`.
    public func readFirst() async throws -> Data? {
        try await perform(behindCommits: true) { try $0.readFirst() }
    }
}

extension Directory where Item: Container & Asset {
    /// Moves items, with their folders and files, to the end of `other`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume`, `invalidLocation`
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>,
        _ change: (@Sendable (inout Item) throws -> Void)? = nil
    ) async throws {
        try await perform { try $0.transferItems(ids, to: other, change) }
    }
}
