import FileSystem

/// The files of a stage, and the items that a draft gives them to.
struct StagedFiles<ID: Hashable & Sendable>: Sendable {
    /// In the order in which they were staged.
    let assets: [StagedAsset]
    private let byName: [FileName: StagedAsset]
    /// By the names of the files in the stage.
    private var owners: [FileName: ID] = .init()
    private var files: [ID: FileName] = .init()

    init(_ assets: [StagedAsset] = []) {
        self.assets = assets
        // Most drafts have no files.
        byName = assets.isEmpty ? [:] : Dictionary(assets.map { ($0.file, $0) }) { $1 }
    }

    /// The files that have an item, with the id of that item, in the order of the stage.
    var given: [(file: StagedAsset, id: ID)] {
        owners.isEmpty ? [] : assets.compactMap { file in owners[file.file].map { (file, $0) } }
    }

    func contains(_ file: StagedAsset) -> Bool { byName[file.file] == file }

    func owner(of file: StagedAsset) -> ID? { owners[file.file] }

    mutating func give(_ file: StagedAsset, to id: ID) {
        take(from: id)
        owners[file.file] = id
        files[id] = file.file
    }

    mutating func take(from id: ID) {
        if let file = files.removeValue(forKey: id) { owners[file] = nil }
    }
}

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
        stagedFiles.give(staged, to: item.id)
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
        stagedFiles.give(staged, to: item.id)
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
        stagedFiles.give(staged, to: id)
        return items[try position(of: id, "update an item of")]
    }

    private func check(_ staged: StagedAsset, for id: Item.ID) throws {
        guard stagedFiles.contains(staged) else {
            throw DirectoryError(
                .stageClosed, "use the file of", staged.url,
                "this write does not import the stage of the file",
                people: .init(
                    operation: "use", name: staged.knownName, reason: "it is not imported now"))
        }
        if let owner = stagedFiles.owner(of: staged), owner != id {
            throw Self.hasOwner(staged, "the item with id \(owner)")
        }
    }
}

extension Directory.Draft {
    /// The files of `assets` that items get, in this collection and in the collections inside its items, in the order
    /// of the stage.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed` if two items get one file.
    func filesInOrder(of assets: [StagedAsset]) throws -> [StagedAsset] {
        var used: Set<StagedAsset> = []
        for file in usedFiles where !used.insert(file).inserted {
            throw Self.hasOwner(file, "an item of another collection")
        }
        return used.isEmpty ? [] : assets.filter(used.contains)
    }

    fileprivate static func hasOwner(_ staged: StagedAsset, _ owner: String) -> DirectoryError {
        DirectoryError(
            .stageClosed, "use the file of", staged.url, "\(owner) has the file already",
            remedy: "Stage the file once for each item.",
            people: .init(
                operation: "use", name: staged.knownName, reason: "another item has it already",
                remedy: "Import the file once for each item."))
    }
}

extension Directory.Draft {
    /// Adds `newItems` at the end, each with the file of its pair.
    mutating func append(_ newItems: [(item: Item, file: StagedAsset)]) throws {
        try append(contentsOf: newItems.map(\.item))
        for (item, file) in newItems { stagedFiles.give(file, to: item.id) }
    }

    /// The staged files that items get, each with its file name in the item.
    var imports: [Intent.Import] {
        get throws {
            if stagedFiles.assets.isEmpty { return [] }
            return try stagedFiles.given.compactMap { file, id in
                guard let owned = items[id: id].flatMap(Ownership<Item>.file) else { return nil }
                return Intent.Import(
                    staged: file.file, asset: try NameRules.check(owned.text, in: file.url))
            }
        }
    }
}
