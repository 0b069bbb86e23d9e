import FileSystem

extension IndexFolder {
    /// The folder or the file of an item.
    struct Entry {
        /// The folder of assets that has the file; nil for a folder.
        let assets: FileName?
        let name: FileName
    }

    /// The names, folded, of the folders of assets beside the index, which are never those of containers.
    var allStems: Set<String> { get throws { try otherStems.union([names.stem.folded]) } }

    /// The folder and the file that `item` names, as far as they exist; `stems` are ``allStems``.
    func entries<Item>(of item: Item, except stems: Set<String>) throws -> [Entry]
    where Item: Codable & Identifiable & Sendable, Item.ID: Sendable {
        var found: [Entry] = []
        if let name = Ownership<Item>.folder(of: item)?.name,
            !stems.contains(name.folded),
            try fileSystem.status(of: name, in: handle)?.kind == .folder
        {
            found.append(Entry(assets: nil, name: name))
        }
        if let name = Ownership<Item>.file(of: item)?.name {
            for assets in store.assetFolders {
                guard let folder = try openFolder(assets),
                    try fileSystem.status(of: name, in: folder)?.kind == .file
                else { continue }
                found.append(Entry(assets: assets, name: name))
                break
            }
        }
        return found
    }
}

extension OwnedNames {
    /// The id of the item that owns `entry`; nil if no item does.
    func owner(of entry: IndexFolder.Entry) -> ID? {
        (entry.assets == nil ? folders : files).owner(of: entry.name)
    }
}
