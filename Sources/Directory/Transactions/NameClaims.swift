import FileSystem
import Foundation

/// What a change does to the names that items own: checks it, and plans the moves of files.
struct NameClaims<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    let base: Directory<Item>.Items
    let draft: Directory<Item>.Items
    /// Who owns what after the change.
    private(set) var names: OwnedNames<Item.ID>
    /// The moves of files that the change needs.
    private(set) var intent = Intent()
    /// The folders of new containers.
    private(set) var newFolders: [FileName] = []

    private let ownership = Ownership<Item>()
    private var freed: Set<String> = []
    /// Whether a file that an item no longer has can be another item's in the draft.
    private var mayShareFiles = false
    /// Who names which file in the draft; only where items are removed and others may have theirs.
    private lazy var filesInDraft: [String: (name: FileName, id: Item.ID)] = {
        let names = draft.compactMap { item in
            ownership.fileName(of: item).flatMap(NameRules.visible).map {
                ($0.folded, ($0, item.id))
            }
        }
        return Dictionary(names) { first, _ in first }
    }()
    /// The folded names of the visible indexes beside this one, once they were looked for.
    private var knownIndexes: [String]?

    init(base: Directory<Item>.Items, draft: Directory<Item>.Items, names: OwnedNames<Item.ID>) {
        self.base = base
        self.draft = draft
        self.names = names
    }
}

extension NameClaims {
    /// Frees the names of removed items, then gives new and renamed ones theirs.
    ///
    /// A name that a change frees can only be given again by a later change: as long as both
    /// folders may exist, their name must tell them apart.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken` or `assetMissing`.
    mutating func make(
        _ change: Directory<Item>.Change, _ store: IndexStore, in folder: Handle,
        arrivals: [Intent.Arrival]
    ) throws {
        guard ownership.ownsFolders || ownership.ownsFiles else { return }
        let disk = Disk(store: store, folder: folder)
        intent.arrivals = arrivals
        mayShareFiles = names.files.hadCollisions || !change.inserted.isEmpty
        let arriving = Set(arrivals.map(\.asset))
        for id in change.removed { try free(id, disk) }
        for id in change.updated { try rename(id, disk) }
        for id in change.inserted {
            guard let item = draft[id: id] else { continue }
            if let text = ownership.folderName(of: item) {
                try addFolder(try claim(text, for: id, disk), disk)
            }
            if let text = ownership.fileName(of: item) {
                let name = try NameRules.check(text, in: folder.url)
                guard names.files.give(name, to: id) else { throw disk.taken(name) }
                guard try arriving.contains(name) || disk.holdsAsset(name) else {
                    throw disk.missing(name)
                }
            }
        }
    }

    private mutating func free(_ id: Item.ID, _ disk: Disk) throws {
        guard let item = base[id: id] else { return }
        if let name = ownership.folderName(of: item).flatMap(FileName.init),
            names.folders.owner(of: name) == id
        {
            names.folders.free(name)
            freed.insert(name.folded)
            // Where the index was edited, the name can be that of a file, even of an index.
            if try disk.status(of: name)?.kind == .folder { intent.removedFolders.append(name) }
        }
        if let name = ownership.fileName(of: item).flatMap(FileName.init),
            names.files.owner(of: name) == id
        {
            names.files.free(name)
            // Where the index was edited, another item can name the same file, and then has it; and
            // what has the name need not be a file.
            if mayShareFiles, let other = filesInDraft[name.folded] {
                _ = names.files.give(other.name, to: other.id)
            } else if disk.mayHoldAsset(name) {
                intent.removedFiles.append(name)
            }
        }
    }

    private mutating func rename(_ id: Item.ID, _ disk: Disk) throws {
        guard let old = base[id: id], let new = draft[id: id] else { return }
        let (oldFile, newFile) = (ownership.fileName(of: old), ownership.fileName(of: new))
        guard oldFile.map(\.bytes) == newFile.map(\.bytes) else {
            throw DirectoryError(
                .invalidName, "update an item of", disk.folder.url,
                "the file name \(oldFile ?? "") of an asset cannot become \(newFile ?? "")")
        }
        guard let newName = ownership.folderName(of: new),
            let oldName = ownership.folderName(of: old), oldName.bytes != newName.bytes
        else { return }
        var from: FileName?
        if let name = FileName(oldName), names.folders.owner(of: name) == id {
            names.folders.free(name)
            if try disk.status(of: name)?.kind == .folder { from = name }
        }
        let to = try claim(newName, for: id, disk)
        guard let from else { return try addFolder(to, disk) }
        if from.folded != to.folded {
            guard try disk.status(of: to) == nil else { throw disk.taken(to) }
            freed.insert(from.folded)
        }
        intent.renamedFolders.append(.init(from: from, to: to))
    }

    /// Plans the folder of a new container; an empty one that is there already will do, unless
    /// it may be that of an item in another index.
    private mutating func addFolder(_ name: FileName, _ disk: Disk) throws {
        guard let found = try disk.status(of: name) else { return newFolders.append(name) }
        guard try found.kind == .folder && disk.isEmpty(name) && otherIndexes(disk).isEmpty else {
            throw disk.taken(name)
        }
    }

    private mutating func otherIndexes(_ disk: Disk) throws -> [String] {
        if let knownIndexes { return knownIndexes }
        let found = try disk.store.fileSystem.list(disk.folder)
            .filter { !$0.isHidden && $0 != disk.store.names.index }
            .map(\.folded).filter { $0.hasSuffix(".json") }
        knownIndexes = found
        return found
    }

    private mutating func claim(_ text: String, for id: Item.ID, _ disk: Disk) throws -> FileName {
        let name = try NameRules.check(text, in: disk.folder.url)
        let isFree = !freed.contains(name.folded) && name.folded != disk.store.names.index.folded
        let assetsFolders = try otherIndexes(disk).map { ($0 as NSString).deletingPathExtension }
        guard isFree, !assetsFolders.contains(name.folded), names.folders.give(name, to: id) else {
            throw disk.taken(name)
        }
        return name
    }
}

extension NameClaims {
    /// Looks at what lies in the folder, and words the errors.
    struct Disk {
        let store: IndexStore
        let folder: Handle

        func status(of name: FileName) throws -> FileStatus? {
            try store.fileSystem.status(of: name, in: folder)
        }

        func isEmpty(_ name: FileName) throws -> Bool {
            try store.fileSystem.list(store.fileSystem.openFolder(name, in: folder)).isEmpty
        }

        /// Whether the file is there, or nobody can tell; then the removal finds out.
        func mayHoldAsset(_ name: FileName) -> Bool {
            do { return try holdsAsset(name) } catch { return true }
        }

        func holdsAsset(_ name: FileName) throws -> Bool {
            try store.findAsset(name, in: folder) != nil
        }

        func taken(_ name: FileName) -> DirectoryError {
            DirectoryError(.nameTaken, "use", folder.url(of: name), "the name is taken")
        }

        func missing(_ name: FileName) -> DirectoryError {
            DirectoryError(
                .assetMissing, "add an item to", folder.url,
                "there is no file \(name) in \(store.names.stem)")
        }
    }
}

extension IndexStore {
    /// The assets folder that holds the regular file `name`, nil where none does.
    func findAsset(_ name: FileName, in folder: Handle) throws -> (folder: Handle, FileStatus)? {
        for assets in assetFolderNames {
            guard let assets = try fileSystem.openFolderIfPresent(assets, in: folder) else {
                continue
            }
            if let status = try fileSystem.status(of: name, in: assets), status.kind == .file {
                return (assets, status)
            }
        }
        return nil
    }
}

extension String {
    /// What file systems compare: strings that differ in normalisation only are equal in Swift,
    /// and two names on disk.
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
