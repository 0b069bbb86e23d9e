import FileSystem
public import Foundation
import Synchronization

extension Directory where Item: Container {
    /// The folder of the item with `id`.
    ///
    /// The URL holds until the item, or a container above it, is renamed, moved or removed.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `invalidName` if
    ///   someone wrote a folder name into the index that is none.
    public func folder(of id: Item.ID) throws -> URL {
        guard let item = core.snapshot.items[id: id] else { throw itemNotFound(id) }
        let folder = core.place.url()
        return folder.appending(
            path: try NameRules.check(item.folderName, in: folder).string,
            directoryHint: .isDirectory)
    }

    /// Opens a collection that the item with `id` holds.
    ///
    /// Calling this twice gives two values on the same live data. The collection stays usable
    /// when the item's folder is renamed or moved; when the item is removed, its changes fail
    /// with `containerRemoved` and make nothing anew.
    ///
    ///     let photos = try projects.child(.photos, of: project.id)
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is no such item, `invalidName` if
    ///   its folder name is none, and what ``load()`` throws. A folder that someone removed from under the item is made anew.
    public func child<C>(_ child: Child<C>, of id: Item.ID) throws -> Directory<C> {
        let core = try DirectoryError.describing("open \(child.name) in", url) {
            try self.core.child(child.name, of: id, as: C.self)
        }
        return Directory<C>(core: core, durability: durability)
    }

    /// Moves items, with their folders and all that lies in them, to the end of `other`.
    ///
    /// When this method returns, `other` has the items and this collection does not. If the
    /// process dies first, either nothing happened, or whoever opens one of the two collections
    /// next completes the transfer. Children of the items are opened anew from `other`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`,
    ///   `crossVolume`, `inDoubt` if only the removal from this collection failed, and what
    ///   ``write(_:)`` throws.
    public func transfer(_ ids: [Item.ID], to other: Directory<Item>) throws {
        try core.transfer(ids, to: other.core, durability)
    }

    private func itemNotFound(_ id: Item.ID) -> DirectoryError {
        DirectoryError(.itemNotFound, "look for a folder of", url, "no item has the id \(id)")
    }
}

/// An item, and the core that has it.
private struct ItemOrigin<ID: Hashable & Sendable>: Hashable {
    let collection: ObjectIdentifier
    let id: ID
}

extension Core {
    /// The live core of the child collection `name` of the item with `id`, or a new one.
    func child<C>(_ name: String, of id: Item.ID, as: C.Type) throws -> Core<C> {
        try loadIfNeeded()
        if folderName(of: id) == nil { try load() }
        guard let item = snapshot.items[id: id] else {
            throw DirectoryError(.itemNotFound, "open a child in", url, "no item has the id \(id)")
        }
        if let name = Ownership<Item>().folderName(of: item) {
            let name = try NameRules.check(name, in: self.place.url())
            guard snapshot.names.value.folders.owner(of: name) == id else {
                throw DirectoryError(
                    .nameTaken, "open a child in", url, "another item has the folder \(name)")
            }
        }
        let folder = try openFolder(of: id) ?? makeFolder(of: id)
        let place = place(of: id)
        let names = try IndexNames("\(name).json", in: place.url())
        var options = store.options
        // What lies in an excluded folder is excluded with it.
        options.isExcludedFromBackup = false
        return try Core<C>.shared(
            in: folder, place, IndexStore(fileSystem: fileSystem, names: names, options: options))
    }

    /// The place of the collections that the item with `id` holds.
    private func place(of id: Item.ID) -> Place {
        Place(
            url: { [self] in
                let name = folderName(of: id)?.string ?? "removed"
                return place.url().appending(path: name, directoryHint: .isDirectory)
            },
            refresh: { [self] in try loadBetweenChanges() },
            open: { [self] _ in try openFolder(of: id) },
            anchor: { [self] in
                guard let folder = try openFolder(of: id) else { throw folderMissing }
                return Anchor(folder: try fileSystem.status(of: folder).identity)
            }, origin: ItemOrigin(collection: ObjectIdentifier(self), id: id), followsItem: true)
    }

    /// Loads while no process is changing the collection, so that every folder is where its item
    /// says: a change moves the folder first and commits the index second.
    private func loadBetweenChanges() throws {
        do {
            guard let folder = try openFolder(making: false) else { return try load() }
            try withLock(in: folder) { _, _ in ((), .init()) }
        } catch let error as FileSystemError
            where [.readOnly, .accessDenied, .notPermitted].contains(error.code)
        {
            try load()
        }
    }

    private func folderName(of id: Item.ID) -> FileName? {
        snapshot.items[id: id].flatMap(Ownership<Item>().folderName)
            .flatMap(NameRules.visible)
    }

    /// Opens the folder of an item; nil where the item or its folder is not there.
    private func openFolder(of id: Item.ID) throws -> Handle? {
        guard let name = folderName(of: id), let folder = try openFolder(making: false) else {
            return nil
        }
        return try fileSystem.openFolderIfPresent(name, in: folder)
    }

    /// Makes the folder of an item that lost it.
    private func makeFolder(of id: Item.ID) throws -> Handle {
        guard let folder = try openFolder(making: true) else { throw folderMissing }
        return try withLock(in: folder) { _, _ in
            guard let name = folderName(of: id) else {
                throw DirectoryError(
                    .itemNotFound, "open the folder of an item of", url, "no item has the id \(id)")
            }
            return (try store.openOrMake(name, in: folder), .init())
        }
    }
}
