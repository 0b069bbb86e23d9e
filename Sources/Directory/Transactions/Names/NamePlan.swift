import FileSystem
import Foundation

/// Plans the names that elements own after a change, and the moves of files and folders that it needs.
struct NamePlan {
    let (base, draft): (Elements, Elements)
    let (lock, areAllOwnersKnown): (IndexLock, Bool)
    private let (ownsFolders, ownsFiles): (Bool, Bool)
    /// The items that were damaged: the folders that they name are theirs already.
    private let migrated: Set<ElementID>
    /// The new containers that come with their collections.
    let filled: Set<ElementID>
    /// What the write moves by itself.
    let moved: MovedNames
    var result: PlannedNames
    /// The folders that lose their names, by these names, folded, with their positions in the list of moved folders.
    var left: [String: (number: Int, id: ElementID)] = [:]
    /// Whether two items may name the same file.
    private var mayShareFiles = false
    /// The file names in the draft, folded, with their items; only needed if files may be shared.
    private lazy var filesInDraft: [String: (name: FileName, id: ElementID)] = {
        let names = draft.compactMap { element in
            element.file?.name.map { ($0.folded, ($0, element.id)) }
        }
        return Dictionary(names) { first, _ in first }
    }()
    /// The indexes beside this one, once they were asked for.
    private var knownOthers: OtherIndexes?

    /// Plans the change from `base` to `draft` of the index that `lock` protects.
    ///
    /// First removed and renamed items lose their names, then renamed and new items get theirs. So a folder
    /// name that this change frees can be given again, but not the name of a file.
    ///
    /// `incoming` are files that are moved into the assets folder from the stage, or brought back.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken` or `assetMissing`.
    static func names(
        after change: ElementChange, from base: Snapshot, to draft: ElementDraft,
        filling filled: [ChildDraft], under lock: IndexLock,
        incoming: @autoclosure () -> Set<FileName>
    ) throws -> PlannedNames {
        if base.elements.isEmpty { try lock.folder.checkThatStemIsFree() }
        guard draft.reader.ownsNames else { return PlannedNames() }
        if change.keepsNames, filled.isEmpty, !draft.files.movesAny, incoming().isEmpty {
            return PlannedNames(names: base.names.value)
        }
        var plan = NamePlan(
            from: base, to: draft, filling: Set(filled.map(\.id)), under: lock)
        try plan.run(
            change, incoming().union(draft.files.arriving.files).union(plan.moved.copiedFiles))
        return plan.result
    }

    private init(
        from base: Snapshot, to draft: ElementDraft, filling filled: Set<ElementID>,
        under lock: IndexLock
    ) {
        self.base = base.elements
        areAllOwnersKnown = base.areAllOwnersKnown
        self.draft = draft.elements
        self.lock = lock
        (ownsFolders, ownsFiles) = (draft.reader.ownsFolders, draft.reader.ownsFiles)
        migrated = draft.migrated
        self.filled = filled
        let owned = base.names.value
        moved = MovedNames(draft.files, owned)
        result = PlannedNames(names: owned)
    }
}

extension NamePlan {
    var folder: IndexFolder { lock.folder }

    mutating func others() throws -> OtherIndexes {
        let others = try knownOthers ?? lock.others
        knownOthers = others
        return others
    }

    private mutating func run(
        _ change: ElementChange, _ incoming: Set<FileName>
    ) throws {
        mayShareFiles = result.names.files.hadCollisions || !change.inserted.isEmpty
        for name in incoming {
            let owner = result.names.files.owner(of: name)
            guard let owner, !moved.fileLeaves.contains(owner) else { continue }
            // If it is its own, that is missing, and comes back.
            let own = [base, draft].map {
                $0[owner]?.file?.name
            }
            guard own[1] == name,
                moved.copiedFiles.contains(name) || own[0] == name && !mayExist(name)
            else { throw folder.nameIsTaken(name) }
        }
        for id in change.removed { try free(id) }
        let renamed = try change.updated.compactMap { try freeNames($0, incoming) }
        for rename in renamed { try giveNewName(rename) }
        for id in change.inserted { try add(id, incoming) }
        parkFoldersThatShareNames()
        // Recovery leaves folders alone that may belong to an item which cannot be decoded.
        if !result.givenFolders.isEmpty {
            result.others = try others()
            try folder.checkThatNoTransactionMoves(
                result.givenFolders, others: result.others, orOwn: !areAllOwnersKnown)
        }
        if !result.newFolders.isEmpty { result.marksNewFolders = try others().mayBeThere }
    }

    private mutating func add(_ id: ElementID, _ incoming: Set<FileName>) throws {
        guard let element = draft[id] else { return }
        if let owned = element.folder {
            let name = try give(owned.text, for: id)
            if !migrated.contains(id) { try addFolder(name, id) }
        }
        if let owned = element.file {
            let name = try NameRules.check(owned.text, in: folder.url)
            guard result.names.files.give(name, to: id) else { throw folder.nameIsTaken(name) }
            if try !incoming.contains(name) && folder.findAsset(name) == nil {
                throw DirectoryError(
                    .assetMissing, "add an item to", folder.url,
                    "there is no file \(name) in \(folder.names.stem)",
                    people: .init(
                        missing: name.string, of: folder.names,
                        remedy: "Import the file together with the item."))
            }
        }
    }

    private mutating func free(_ id: ElementID) throws {
        guard let element = base[id] else { return }
        if let name = element.folder?.name,
            result.names.folders.owner(of: name) == id
        {
            result.names.folders.free(name)
            if try !moved.folderLeaves.contains(id) && isOwnFolder(name) { leave(name, element) }
        }
        freeFile(of: element)
    }

    private mutating func freeFile(of element: any IndexElement) {
        guard let name = element.file?.name, result.names.files.owner(of: name) == element.id else {
            return
        }
        result.names.files.free(name)
        // If the index was edited, another item can name the same file, and owns it from now on.
        if mayShareFiles, let other = filesInDraft[name.folded] {
            _ = result.names.files.give(other.name, to: other.id)
        } else if !moved.fileLeaves.contains(element.id), mayExist(name) {
            result.removedFiles.append(name)
        }
    }

    /// An item that gets another folder name.
    private struct Renamed {
        let id: ElementID
        /// The position of its folder in the list of moved ones; nil if it has none.
        let folder: Int?
        let to: String
    }

    /// Frees the names that the item no longer has, and gives it the name of its new file.
    ///
    /// - Returns: The new name of its folder; nil if the folder keeps its name.
    private mutating func freeNames(_ id: ElementID, _ incoming: Set<FileName>) throws -> Renamed? {
        guard let old = base[id], let new = draft[id] else { return nil }
        if ownsFiles, let file = new.file, !new.file.isSame(as: old.file) {
            try replaceFile(
                of: old, by: NameRules.check(file.text, in: folder.url), incoming)
        }
        guard ownsFolders, let named = new.folder, let owned = old.folder,
            !new.folder.isSame(as: owned)
        else { return nil }
        var number: Int?
        if let name = owned.name, result.names.folders.owner(of: name) == id {
            result.names.folders.free(name)
            if try !moved.folderLeaves.contains(id) && isOwnFolder(name) {
                number = leave(name, new, before: old)
            }
        }
        return Renamed(id: id, folder: number, to: named.text)
    }

    private mutating func giveNewName(_ renamed: Renamed) throws {
        let to = try give(renamed.to, for: renamed.id)
        guard let number = renamed.folder else { return try addFolder(to, renamed.id) }
        if try !isLeft(to), try hasEmptyFolder(to) { result.emptyFolders.append(to) }
        result.movedFolders[number].to = to
    }

    /// Plans to remove the file of `element`, and to import the staged file `name` in its place.
    private mutating func replaceFile(
        of element: any IndexElement, by name: FileName, _ incoming: Set<FileName>
    ) throws {
        guard incoming.contains(name) else {
            throw DirectoryError(
                .invalidName, "update an item of", folder.url,
                "the file name \(element.file?.text ?? "") of an asset can become \(name)"
                    + " only with a new file",
                remedy: "Give the item a staged file with update(_:file:), or keep its file name.",
                people: .init(
                    name: folder.names.stem.string,
                    reason: "the name of its file cannot be changed",
                    remedy: "Import the file again."))
        }
        freeFile(of: element)
        guard result.names.files.give(name, to: element.id) else { throw folder.nameIsTaken(name) }
    }

    /// Gives the folder name `text` to the item with `id`.
    private mutating func give(_ text: String, for id: ElementID) throws -> FileName {
        let name = try NameRules.checkFolder(text, in: folder.url)
        guard name.folded != folder.names.index.folded, try !isStem(name),
            result.names.folders.give(name, to: id)
        else { throw folder.nameIsTaken(name) }
        result.givenFolders.append(name)
        return name
    }
}

extension NamePlan {
    /// Whether the asset exists; true also if an error hides that, because the removal then reports it.
    private func mayExist(_ name: FileName) -> Bool {
        do { return try folder.findAsset(name) != nil } catch { return true }
    }
}

extension ElementChange {
    /// Whether all elements have the names for their folders and files that they had before.
    fileprivate var keepsNames: Bool {
        inserted.isEmpty && removed.isEmpty && keepsNamesOfUpdated
    }
}
