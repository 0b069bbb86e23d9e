import FileSystem
import Foundation

/// Plans the names that elements own after a change, and the moves of files and folders that it needs.
struct NamePlan {
    private let (base, draft): (Elements, Elements)
    private let (folder, areAllOwnersKnown): (IndexFolder, Bool)
    private let (ownsFolders, ownsFiles): (Bool, Bool)
    /// The items that were damaged: the folders that they name are theirs already.
    private let migrated: Set<ElementID>
    /// The new containers that come with their collections.
    private let filled: Set<ElementID>
    /// The items whose folders, and those whose files, the write moves away by itself.
    private let (folderLeaves, fileLeaves): (Set<ElementID>, Set<ElementID>)
    /// The folders that a transfer brings, and those that come from a copy or in an exchange.
    private let (transferred, copied): (Set<FileName>, Set<FileName>)
    /// The names, folded, of the folders that leave their places for these.
    private let freed: Set<String>
    /// The kept folders that are brought back.
    private let restored: Set<FileName>
    private var result: PlannedNames
    private var folders = FolderMoves()
    /// Whether two items may name the same file.
    private var mayShareFiles = false
    /// The file names in the draft, folded, with their items; only needed if files may be shared.
    private lazy var filesInDraft: [String: (name: FileName, id: ElementID)] = {
        let names = draft.compactMap { element in
            element.file?.name.map { ($0.folded, ($0, element.id)) }
        }
        return Dictionary(names) { first, _ in first }
    }()
    /// The stems of the visible indexes beside this one, folded, once they were listed.
    private var knownStems: Set<String>?

    /// Plans the change from `base` to `draft` of an index in `folder`.
    ///
    /// First removed and renamed items lose their names, then renamed and new items get theirs. So a folder
    /// name that this change frees can be given again, but not the name of a file.
    ///
    /// `incoming` are files that are moved into the assets folder; `restored` are folders that are brought back.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken` or `assetMissing`.
    static func names(
        after change: ElementChange, from base: Snapshot, to draft: ElementDraft,
        filling filled: [ChildDraft], in folder: IndexFolder,
        incoming: @autoclosure () -> Set<FileName>, restored: KeptFiles?
    ) throws -> PlannedNames {
        if base.elements.isEmpty { try folder.checkThatStemIsFree() }
        guard draft.reader.ownsNames else { return PlannedNames() }
        var plan = NamePlan(
            from: base, to: draft, filling: Set(filled.map(\.id)), in: folder,
            restored: restored.map { Set($0.folders.keys) } ?? [])
        try plan.run(change, draft.exchange, incoming())
        return plan.result
    }

    private init(
        from base: Snapshot, to draft: ElementDraft, filling filled: Set<ElementID>,
        in folder: IndexFolder, restored: Set<FileName>
    ) {
        self.base = base.elements
        areAllOwnersKnown = base.areAllOwnersKnown
        self.draft = draft.elements
        self.folder = folder
        (ownsFolders, ownsFiles) = (draft.reader.ownsFolders, draft.reader.ownsFiles)
        migrated = draft.migrated
        self.filled = filled
        (folderLeaves, fileLeaves) = draft.exchange.idsThatLeave(with: draft.leaving)
        (transferred, copied) = (draft.arriving.folders, draft.exchange.arriving.folders)
        freed = draft.exchange.freeFolders
        self.restored = restored
        result = PlannedNames(names: base.names.value)
    }
}

extension NamePlan {
    private mutating func run(
        _ change: ElementChange, _ exchange: Exchange, _ incoming: Set<FileName>
    ) throws {
        mayShareFiles = result.names.files.hadCollisions || !change.inserted.isEmpty
        for name in incoming {
            let owner = result.names.files.owner(of: name)
            guard let owner, !fileLeaves.contains(owner) else { continue }
            // If it is its own, that is missing, and comes back.
            let own = [base, draft].map {
                $0[owner]?.file?.name
            }
            guard own[1] == name,
                exchange.arriving.files.contains(name) || own[0] == name && !mayExist(name)
            else { throw folder.nameIsTaken(name) }
        }
        for id in change.removed { try free(id) }
        let renamed = try change.updated.compactMap { try freeNames($0, incoming) }
        for rename in renamed { try giveNewName(rename) }
        for id in change.inserted { try add(id, incoming) }
        result.movedFolders = folders.listed(from: base, to: draft, result.names.folders)
        // Recovery leaves folders alone that may belong to an item which cannot be decoded.
        try folder.checkThatNoTransactionMoves(result.givenFolders, orOwn: !areAllOwnersKnown)
        if !result.newFolders.isEmpty { result.marksNewFolders = try folder.isShared }
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
                    people: .init(remedy: "Import the file together with the item."))
            }
        }
    }

    private mutating func free(_ id: ElementID) throws {
        guard let element = base[id] else { return }
        if let name = element.folder?.name,
            result.names.folders.owner(of: name) == id
        {
            result.names.folders.free(name)
            if try !folderLeaves.contains(id) && isOwnFolder(name) { folders.remove(name, of: id) }
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
        } else if !fileLeaves.contains(element.id), mayExist(name) {
            result.removedFiles.append(name)
        }
    }

    /// An item that gets another folder name.
    private struct Renamed {
        let id: ElementID
        /// The name of its folder; nil if it has none.
        let from: FileName?
        let to: String
    }

    /// Frees the names that the item no longer has, and gives it the name of its new file.
    ///
    /// - Returns: The new name of its folder; nil if the folder keeps its name.
    private mutating func freeNames(_ id: ElementID, _ incoming: Set<FileName>) throws -> Renamed? {
        guard let old = base[id], let new = draft[id] else { return nil }
        // By bytes: normalisations of a string are equal in Swift, but two names on disk.
        if ownsFiles, let name = new.file?.text,
            old.file?.text.utf8.elementsEqual(name.utf8) != true
        {
            try replaceFile(
                of: old, by: NameRules.check(name, in: folder.url), incoming)
        }
        guard ownsFolders, let newName = new.folder?.text, let owned = old.folder,
            !owned.text.utf8.elementsEqual(newName.utf8)
        else { return nil }
        var from: FileName?
        if let name = owned.name, result.names.folders.owner(of: name) == id {
            result.names.folders.free(name)
            if try !folderLeaves.contains(id) && isOwnFolder(name) { from = name }
        }
        if let from { folders.leave(from, of: id) }
        return Renamed(id: id, from: from, to: newName)
    }

    private mutating func giveNewName(_ renamed: Renamed) throws {
        let to = try give(renamed.to, for: renamed.id)
        guard let from = renamed.from else { return try addFolder(to, renamed.id) }
        if try !isLeft(to), try hasEmptyFolder(to) { result.emptyFolders.append(to) }
        folders.rename(from, to: to, of: renamed.id)
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
                    reason: "the name of its file cannot be changed",
                    remedy: "Import the file again."))
        }
        freeFile(of: element)
        guard result.names.files.give(name, to: element.id) else { throw folder.nameIsTaken(name) }
    }

    /// Plans the folder of a new container, or of one that is brought back.
    ///
    /// An empty folder with its name is used, unless an item of another index may own it.
    private mutating func addFolder(_ name: FileName, _ id: ElementID) throws {
        if copied.contains(name), freed.contains(name.folded) { return }
        if try freed.contains(name.folded) || isLeft(name) { return folders.arrive(name, of: id) }
        let hasFolder = try hasEmptyFolder(name)
        if filled.contains(id) || restored.contains(name) || copied.contains(name) {
            if hasFolder { result.emptyFolders.append(name) }
            if !copied.contains(name) { folders.arrive(name, of: id) }
        } else if hasFolder {
            result.usesEmptyFolder = true
        } else if !transferred.contains(name) {
            result.newFolders.append(name)
        }
    }

    /// Whether there is an empty folder with this name, which the item uses or replaces by its own.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if anything else has the name, or may have it.
    private mutating func hasEmptyFolder(_ name: FileName) throws -> Bool {
        guard let found = try statusUnlessLeftover(name) else { return false }
        // Another index here has made its lock file before its folders, so `isShared` finds it.
        guard found.kind == .folder, areAllOwnersKnown, !transferred.contains(name),
            try !folder.isShared,
            try folder.openFolder(name).map(folder.fileSystem.list)?.isEmpty == true
        else { throw folder.nameIsTaken(name) }
        return true
    }

    /// Whether this commit takes `name` away from a folder, so that another folder can get it.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if the volume distinguishes case, and something but an empty
    ///   folder has the name in exactly this case.
    private mutating func isLeft(_ name: FileName) throws -> Bool {
        guard let old = folders.leaving(name) else { return false }
        if let found = try status(of: name), try found.identity != status(of: old)?.identity,
            try hasEmptyFolder(name)
        {
            result.emptyFolders.append(name)
        }
        return true
    }

    /// Whether `name` is a folder that can belong to an item.
    ///
    /// If the index was edited, an item can name a file, even an index, or the assets folder of an index.
    private mutating func isOwnFolder(_ name: FileName) throws -> Bool {
        guard try status(of: name)?.kind == .folder else { return false }
        return try !isStem(name)
    }

    /// Whether `name` is that of the assets folder of an index in this folder.
    private mutating func isStem(_ name: FileName) throws -> Bool {
        try name.folded == folder.names.stem.folded || otherStems().contains(name.folded)
    }

    private mutating func otherStems() throws -> Set<String> {
        let stems = try knownStems ?? folder.otherStems
        knownStems = stems
        return stems
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
    private func status(of name: FileName) throws -> FileStatus? {
        try folder.fileSystem.status(of: name, in: folder.handle)
    }

    /// The status of a name that an item is to get; nil also if a crashed append left a folder with it, which is
    /// removed.
    private mutating func statusUnlessLeftover(_ name: FileName) throws -> FileStatus? {
        guard try areAllOwnersKnown && folder.isMarkedFolder(name) else {
            return try status(of: name)
        }
        result.leftoverFolders.append(name)
        return nil
    }

    /// Whether the asset exists; true also if an error hides that, because the removal then reports it.
    private func mayExist(_ name: FileName) -> Bool {
        do { return try folder.findAsset(name) != nil } catch { return true }
    }
}
