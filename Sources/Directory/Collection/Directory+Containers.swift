import FileSystem
public import Foundation

extension Directory where Item: Container {
    /// The folder of the item with `id`.
    ///
    /// The URL is valid until the item, or a container above it, is renamed, moved or removed.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `invalidName` if the index has an
    ///   invalid folder name for it, and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func folder(of id: Item.ID) throws -> URL {
        try core.loadIfNeeded()
        guard let item = currentItems[id: id] else { throw itemNotFound(id) }
        let folder = core.folderURL
        return folder.appending(
            path: try NameRules.checkFolder(item.folderName, in: folder).string,
            directoryHint: .isDirectory)
    }

    /// Opens a collection inside the item with `id`.
    ///
    /// Two calls give two values that share the same items. The collection stays usable when the
    /// item's folder is renamed or moved. When the item is removed, changes of the collection fail
    /// with `containerRemoved`, and make no new folder.
    ///
    ///     let photos = try projects.child(.photos, of: project.id)
    ///
    /// - Parameters:
    ///   - child: The name and the item type of the collection.
    ///   - id: The id of an item.
    ///   - options: How to write and read the collection; nil for the options of this value.
    /// - Returns: The collection, which is not loaded yet.
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `invalidName` if its folder name is
    ///   invalid, `nameTaken` if another item owns the folder, `invalidLocation` if the name of `child` cannot be that
    ///   of an index, `optionsDiffer` if the collection is open with other options, and the [codes of every
    ///   load](doc:Errors#Codes-of-every-load). If the folder of the item is missing, it is made again, which can throw
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
    public func child<C>(
        _ child: Child<C>, of id: Item.ID, options: DirectoryOptions? = nil
    ) throws -> Directory<C> {
        var inherited = core.store.options.forChildren
        inherited.durability = durability
        let options = options ?? inherited
        let childCore = try core.child(
            child.name, ItemCoding<C>.self, of: IDElement<Item>(id).id, options)
        return Directory<C>(core: childCore, durability: options.durability)
    }

    /// Moves items, with their folders and everything in them, to the end of `other`.
    ///
    /// When this method returns, the items are in `other` and not in this collection, and both are on stable storage.
    /// If the process dies first, the transfer has taken place or nothing has changed: the next process that loads or
    /// changes one of the two collections completes or undoes it. Get the children of the items from `other`
    /// afterwards.
    ///
    /// An item keeps its JSON byte for byte, unless `change` changes it. `change` is called once for each item, and
    /// again if another thread or process is using one of the collections.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `crossVolume`, `nameTaken`, also if `other` is
    ///   in the folder of this collection, `invalidLocation` if `other` is inside one of the items, and the [codes of
    ///   every change](doc:Errors#Codes-of-every-change). Its code is `inDoubt` also if the transfer could be neither
    ///   completed nor undone.
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>, _ change: ((inout Item) throws -> Void)? = nil
    ) throws {
        try transferItems(ids, to: other, change)
    }

    private func itemNotFound(_ id: Item.ID) -> DirectoryError {
        DirectoryError(
            .itemNotFound, "find the folder of an item of", url, "no item has the id \(id)")
    }
}

extension Directory where Item: Container & Asset {
    /// Moves items, with their folders and files, to the end of `other`.
    ///
    /// It keeps the promises of the other two methods of this name, for containers and for assets.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`, `crossVolume`, `invalidLocation`
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change). Its code is `inDoubt` also if the transfer
    ///   could be neither completed nor undone.
    public func transfer(
        _ ids: [Item.ID], to other: Directory<Item>, _ change: ((inout Item) throws -> Void)? = nil
    ) throws {
        try transferItems(ids, to: other, change)
    }
}

extension Core {
    /// Opens the collection `name` that the element with `id` holds, whose elements `type` reads.
    func child(
        _ name: String, _ type: any ElementReader.Type, of id: ElementID,
        _ options: DirectoryOptions
    ) throws -> Core {
        let location = ContainerLocation(collection: self, id: id)
        return try describing("open \(name) in") {
            let folder = try location.openOrMake()
            let store = IndexStore(
                fileSystem: fileSystem, names: try IndexNames(stem: name, in: location.url),
                options: options, volume: store.volume)
            return try Registry.shared.core(in: folder, at: location, store, type)
        }
    }
}
