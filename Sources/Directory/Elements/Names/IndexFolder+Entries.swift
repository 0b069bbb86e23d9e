import FileSystem

extension IndexFolder {
    /// The folder or the file of an element.
    struct Entry {
        /// The folder of assets that has the file; nil for a folder.
        let assets: FileName?
        let name: FileName
    }

    /// The names, folded, of the folders of assets beside the index, which are never those of containers.
    var allStems: Set<String> { get throws { try otherStems.union([names.stem.folded]) } }

    /// The folder and the file that `element` names, as far as they exist; `stems` are ``allStems``.
    func entries(of element: any IndexElement, except stems: Set<String>) throws -> [Entry] {
        var found: [Entry] = []
        if let name = element.folder?.name,
            !stems.contains(name.folded),
            try fileSystem.status(of: name, in: handle)?.kind == .folder
        {
            found.append(Entry(assets: nil, name: name))
        }
        if let name = element.file?.name, let (assets, _, _) = try findAsset(name) {
            found.append(Entry(assets: assets, name: name))
        }
        return found
    }
}

extension OwnedNames {
    /// The id of the element that owns `entry`; nil if none does.
    func owner(of entry: IndexFolder.Entry) -> ElementID? {
        (entry.assets == nil ? folders : files).owner(of: entry.name)
    }
}
