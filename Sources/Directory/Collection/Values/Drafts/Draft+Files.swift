import FileSystem

extension Directory.Draft where Item: Asset {
    /// Adds `item` at the end, and gives it the file of `staged`.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `invalidID`, `unencodable`; `stageClosed` if
    ///   the write does not import the stage of `staged`, or another item has the file.
    public mutating func append(_ item: Item, file staged: StagedAsset) throws {
        try insert(item, at: items.count, file: staged)
    }

    /// Adds `item` before the item at `index`, and gives it the file of `staged`.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `indexOutOfRange`, `invalidID`,
    ///   `unencodable`; `stageClosed` if the write does not import the stage of `staged`, or another item has the file.
    public mutating func insert(_ item: Item, at index: Int, file staged: StagedAsset) throws {
        try check(staged, for: item.id)
        try insert(item, at: index)
        give(staged, to: item.id)
    }

    /// Replaces the item that has the id of `item`, and gives it the file of `staged`.
    ///
    /// The old file stays in place until the commit, and is removed after it. So the new file needs
    /// another `fileName`, for example ``StagedAsset/fileName(replacing:)``.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `unencodable`; `stageClosed` if the write does not import the
    ///   stage of `staged`, or another item has the file. The commit throws `nameTaken` if an item already had a file
    ///   with the new name.
    public mutating func update(_ item: Item, file staged: StagedAsset) throws {
        try check(staged, for: item.id)
        try update(item)
        give(staged, to: item.id)
    }

    /// Changes the item with `id` in place, and gives it the file of `staged`.
    ///
    /// - Returns: The item as it is now.
    /// - Throws: The error of `change`, or ``DirectoryError`` with `itemNotFound` if the draft has no such item,
    ///   `duplicateID` if `change` changes the id, `unencodable`; `stageClosed` if the write does not import the stage
    ///   of `staged`, or another item has the file. The commit throws `nameTaken` if an item already had a file with
    ///   the new name.
    @discardableResult
    public mutating func update(
        id: Item.ID, file staged: StagedAsset, _ change: (inout Item) throws -> Void
    ) throws -> Item {
        try check(staged, for: id)
        try update(id: id, change)
        give(staged, to: id)
        return items[try position(of: id, "update an item of")]
    }

    private func check(_ staged: StagedAsset, for id: Item.ID) throws {
        guard base.files.staged.contains(staged) else {
            throw DirectoryError(
                .stageClosed, "use the file of", staged.url,
                "this write does not import the stage of the file",
                people: .init(
                    operation: "use", name: staged.knownName, reason: "it is not imported now"))
        }
        if let owner = base.files.staged.owner(of: staged), owner.itemID(of: Item.self) != id {
            throw ElementDraft.hasOwner(staged, "the item with id \(owner.text)")
        }
    }
}

extension Directory.Draft {
    /// Adds `newItems` at the end, each with the file of its pair.
    mutating func append(_ newItems: [(item: Item, file: StagedAsset)]) throws {
        try append(contentsOf: newItems.map(\.item))
        for (item, file) in newItems { give(file, to: item.id) }
    }

    /// Gives the item with `id` the file of `staged`, a file of the stage that this write imports.
    private mutating func give(_ staged: StagedAsset, to id: Item.ID) {
        base.give(staged, to: IDElement<Item>(id).id)
    }
}
