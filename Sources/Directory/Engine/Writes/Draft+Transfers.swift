import FileSystem
import Foundation

/// A folder or a file of an item that is transferred to another collection.
struct DraftMove: Sendable {
    /// The assets folder; nil for the folder of a container.
    var assets: FileName?
    var name: FileName
    /// The name in the other collection.
    var newName: FileName

    var isFolder: Bool { assets == nil }
}

extension Directory.Draft {
    /// Moves the items with `ids`, in this order, with everything that they own, to the end of
    /// `other`.
    ///
    /// - Throws: ``Busy``; ``DirectoryError`` with `itemNotFound`, `duplicateID`, `crossVolume` or
    ///   `containerRemoved`.
    mutating func transfer(
        _ ids: [Item.ID], to other: Core<Item>, _ change: ((inout Item) throws -> Void)?
    ) throws {
        guard let (core, index) = write?.place else { return }
        var peer = try openPeer(other)
        // If the index was edited, an item can have the name of another index's assets folder.
        let otherStems = coding.ownsFolders ? try index.folder.otherStems : []
        let older = coding.ownsFiles ? try index.folder.olderAssetsFolders() : []
        for id in ids {
            let elementID = IDElement<Item>(id).id
            if base.leaving.contains(elementID) { throw peer.base.isTaken(elementID) }
            guard let element = items.element(of: id) else {
                throw DirectoryError(
                    .itemNotFound, "transfer items from", url, "it holds no item with id \(id)",
                    people: .init(operation: "move items from", reason: "the item is not there"))
            }
            let new =
                try change.map { change in
                    try core.insideWrite { try changed(element, "transfer items from", change) }
                } ?? element
            try peer.base.append([new])
            try remove(id: id)
            base.leaving.insert(element.id)
            let owned = index.snapshot.names.value
            if let newName = new.folder?.name {
                // An item whose folder is missing, or belongs to another item, gets no new folder.
                peer.base.arriving.folders.insert(newName)
                if let name = element.folder?.name,
                    owned.folders.owner(of: name) == element.id, !otherStems.contains(name.folded),
                    try index.fileSystem.status(of: name, in: index.folder.handle)?.kind == .folder
                {
                    base.moves.append(DraftMove(name: name, newName: newName))
                }
            }
            if let name = element.file?.name, owned.files.owner(of: name) == element.id,
                let newName = new.file?.name
            {
                let assets = try older.first { folder in
                    try index.fileSystem.status(of: name, in: folder.handle) != nil
                }
                base.moves.append(
                    DraftMove(
                        assets: assets?.name ?? index.folder.names.stem, name: name,
                        newName: newName))
                peer.base.arriving.files.append(newName)
            }
        }
        peers = [peer]
    }

    /// The element after `change`; if the item stays the same, its line stays byte for byte.
    func changed(
        _ element: ItemElement<Item>, _ operation: String, _ change: (inout Item) throws -> Void
    ) throws -> ItemElement<Item> {
        var item = element.item
        try change(&item)
        guard item.id == element.item.id else {
            throw DirectoryError(
                .duplicateID, operation, url,
                "the id \(element.item.id) became \(item.id)",
                remedy: "Change other properties only.", people: .changedID)
        }
        let new = try coding.element(of: item, replacing: element)
        let old = try coding.element(of: element.item, replacing: element)
        return new.line == old.line ? element : new
    }

    /// Opens the collection of `other`, and takes its lock, to exchange items with it.
    func openPeer(_ other: Core<Item>) throws -> Self {
        guard let write, let (core, index) = write.place else { return self }
        guard let folder = try other.openFolder(making: true) else { throw other.folderIsMissing }
        let (here, there) = try (
            index.fileSystem.status(of: index.folder.handle).identity,
            other.fileSystem.status(of: folder.handle).identity
        )
        guard here.device == there.device else {
            throw DirectoryError(
                .crossVolume, "transfer items from", core.url,
                "the other collection is on another volume",
                people: .init(operation: "move items from"))
        }
        let place = try write.session.lock(other, in: folder)
        return Self(other.snapshot, other.coding, of: place)
    }
}

extension IndexFolder {
    /// The existing folders that can have assets but get no new ones.
    fileprivate func olderAssetsFolders() throws -> [(name: FileName, handle: Handle)] {
        try store.assetFolders.dropFirst().compactMap { name in
            try openFolder(name).map { (name, $0) }
        }
    }
}
