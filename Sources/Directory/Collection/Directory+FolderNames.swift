import FileSystem

extension Directory where Item: Container {
    /// Makes a folder name from any `text`, which no item and no file here has.
    ///
    ///     let name = try projects.freeFolderName(for: title)
    ///     try projects.append(Project(title: title, folderName: name))
    ///
    /// The name is the result of `safeFolderName(beside:fallback:)`. It differs from the folder names of all items,
    /// from all names in the folder of this collection, and from the names that the collections there own. It is the
    /// first free one of `Trip`, `Trip 2`, `Trip 3` and so on.
    ///
    /// Another thread or process can take the name before the item is added. Then the change throws `nameTaken`, and
    /// you can ask again. Inside a `write(_:)` of this collection that cannot happen, because other changes wait. But
    /// the names in the draft are not checked, so pass them as `names`:
    ///
    ///     try projects.write { draft in
    ///         let name = try projects.freeFolderName(for: title)
    ///         try draft.append(Project(title: title, folderName: name))
    ///     }
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - id: The item that the name is for, if it is in the collection: its own name is free for it.
    ///   - names: Other names that the result must differ from.
    ///   - fallback: Replaces an empty name.
    /// - Returns: The name.
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func freeFolderName(
        for text: String, of id: Item.ID? = nil, beside names: some Sequence<String> = [String](),
        fallback: String = "Untitled"
    ) throws -> String {
        try core.loadIfNeeded()
        return try core.describing("find a free name in") {
            let items = currentItems
            let own = id.flatMap { items[id: $0] }.flatMap { FileName($0.folderName)?.folded }
            let others = items.lazy.filter { $0.id != id }.map(\.folderName)
            var taken = Set((Array(others) + names).compactMap { FileName($0)?.folded })
            let onDisk = try core.openFolder(making: false)?.takenNames ?? []
            taken.formUnion(onDisk.lazy.filter { $0 != own })
            taken.formUnion([core.store.names.stem.folded, core.store.names.index.folded])
            return text.safeFolderName(fallback: fallback) { taken.contains($0.folded) }
        }
    }

    /// Makes a folder name from any `text`, which no item and no file here has.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func freeFolderName(
        for text: String, of id: Item.ID? = nil,
        beside names: some Sequence<String> & Sendable = [String](), fallback: String = "Untitled"
    ) async throws -> String {
        try await perform {
            try $0.freeFolderName(for: text, of: id, beside: names, fallback: fallback)
        }
    }
}
