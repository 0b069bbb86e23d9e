import FileSystem

/// The items that a write removes from collections, and those that it adds to others.
///
/// To remove an item from one collection and to add it to another one is not to move it: its folder or file goes with
/// the removal. If both items have the same id and the same name, somebody probably meant to move it.
struct RemovedAndAdded {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let id: AnyHashable
        let isFolder: Bool
        /// The name of the folder or file, folded.
        let name: String
    }

    private var removed: [Key: (folder: IndexFolder, name: FileName)] = [:]
    private var added: Set<Key> = []
}

extension RemovedAndAdded {
    /// Adds the changes of `draft` and of the drafts of collections inside its items; with `isGone`, its container is
    /// removed too.
    mutating func add<Item>(_ draft: Directory<Item>.Draft, isGone: Bool = false) {
        let place = draft.write?.place
        let base = place?.index.snapshot.items ?? .init()
        let change = Directory<Item>.Change(from: base, to: draft)
        for id in isGone ? base.ids : change.removed where !draft.leaving.contains(id) {
            guard let item = base[id: id], let folder = place?.index.folder else { continue }
            for (key, name) in names(of: item) { removed[key] = (folder, name) }
        }
        let staged = Set(draft.stagedFiles.given.map(\.id))
        for id in isGone ? [] : change.inserted where !staged.contains(id) {
            guard let item = draft[id: id] else { continue }
            added.formUnion(names(of: item).map(\.key))
        }
        for child in draft.children {
            child.draft.add(to: &self, isGone: isGone || !draft.items.contains(id: child.id))
        }
        for peer in draft.peers { add(peer) }
    }

    /// Throws if the write removes a folder with contents, or a file, of an item that it adds elsewhere.
    func check(_ operation: String) throws {
        for (key, left) in removed where added.contains(key) {
            guard try left.folder.hasContents(left.name, isFolder: key.isFolder) else { continue }
            let thing = key.isFolder ? "folder" : "file"
            throw DirectoryError(
                .contentsLeftBehind, operation, left.folder.indexURL,
                "the item with the id \(key.id) is removed here and added to another collection, but its \(thing) "
                    + "\(left.name), which is not empty, would be removed",
                people: .init(reason: "\(left.name) would be left behind"))
        }
    }

    private func names<Item: Codable & Identifiable & Sendable>(of item: Item) -> [(
        key: Key, name: FileName
    )] where Item.ID: Sendable {
        let owned = [
            (true, Ownership<Item>.folderName(of: item)),
            (false, Ownership<Item>.fileName(of: item)),
        ]
        return owned.compactMap { isFolder, text in
            guard let name = text.flatMap(FileName.init) else { return nil }
            let key = Key(
                type: ObjectIdentifier(Item.self), id: AnyHashable(item.id), isFolder: isFolder,
                name: name.folded)
            return (key, name)
        }
    }
}

extension IndexFolder {
    /// Whether an item's folder `name` has a file that is not hidden, other than an index without items; or whether its
    /// file exists.
    fileprivate func hasContents(_ name: FileName, isFolder: Bool) throws -> Bool {
        guard isFolder else { return try findAsset(name) != nil }
        guard let inner = try openFolder(name) else { return false }
        return try hasContents(inner)
    }

    private func hasContents(_ folder: Handle) throws -> Bool {
        for name in try fileSystem.list(folder) where !name.isHidden {
            if try fileSystem.status(of: name, in: folder)?.kind == .folder {
                let inner = try fileSystem.openFolderIfPresent(name, in: folder)
                if let inner, try hasContents(inner) { return true }
                continue
            }
            guard IndexNames.isIndex(name),
                let index = try? IndexNames(name.string, in: folder.url),
                // A file that cannot be read as an index is not empty.
                try IndexFolder(store: store.ofUnknownType(index), handle: folder)
                    .untypedLines?.isEmpty == true
            else { return true }
        }
        return false
    }
}
