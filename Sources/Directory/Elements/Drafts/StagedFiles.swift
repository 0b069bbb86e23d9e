import FileSystem

/// The files of a stage, and the elements that a draft gives them to.
struct StagedFiles: Sendable {
    /// In the order in which they were staged.
    let assets: [StagedAsset]
    private let byName: [FileName: StagedAsset]
    /// By the names of the files in the stage.
    private var owners: [FileName: ElementID] = [:]
    private var files: [ElementID: FileName] = [:]

    init(_ assets: [StagedAsset] = []) {
        self.assets = assets
        // Most drafts have no files.
        byName = assets.isEmpty ? [:] : Dictionary(assets.map { ($0.file, $0) }) { $1 }
    }

    /// The files that have an element, with the id of that element, in the order of the stage.
    var given: [(file: StagedAsset, id: ElementID)] {
        owners.isEmpty ? [] : assets.compactMap { file in owners[file.file].map { (file, $0) } }
    }

    func contains(_ file: StagedAsset) -> Bool { byName[file.file] == file }

    func owner(of file: StagedAsset) -> ElementID? { owners[file.file] }

    mutating func give(_ file: StagedAsset, to id: ElementID) {
        take(from: id)
        owners[file.file] = id
        files[id] = file.file
    }

    mutating func take(from id: ElementID) {
        if files.isEmpty { return }
        if let file = files.removeValue(forKey: id) { owners[file] = nil }
    }
}

extension ElementDraft {
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

    static func hasOwner(_ staged: StagedAsset, _ owner: String) -> DirectoryError {
        DirectoryError(
            .stageClosed, "use the file of", staged.url, "\(owner) has the file already",
            remedy: "Stage the file once for each item.",
            people: .init(
                operation: "use", name: staged.knownName, reason: "another item has it already",
                remedy: "Import the file once for each item."))
    }

    /// Gives the element with `id` the file of `staged`, a file of the stage that this write imports.
    package mutating func give(_ staged: StagedAsset, to id: ElementID) {
        if let element = elements[id] { files.staged.give(staged, to: element.id) }
    }
}
