import FileSystem
import Foundation

extension ElementDraft {
    /// Moves the elements with `ids`, in this order, with everything that they own, to the end of
    /// `other`; `change` is called with each.
    ///
    /// - Throws: ``Busy``; ``DirectoryError`` with `itemNotFound`, `duplicateID`, `crossVolume`,
    ///   `containerRemoved` or `journalMissing`.
    mutating func transfer(
        _ ids: [ElementID], to other: Core,
        _ change: (any IndexElement) throws -> any IndexElement
    ) throws {
        guard let (core, index) = write?.place else { return }
        if reader.ownsFolders { try core.checkJournals(inside: Set(ids)) }
        var peer = try openPeer(other)
        // If the index was edited, an item can have the name of another index's assets folder.
        let otherStems = reader.ownsFolders ? try index.folder.otherStems : []
        for id in ids {
            if files.leaving.contains(id) { throw peer.isTaken(id) }
            guard let element = elements[id] else {
                throw DirectoryError(
                    .itemNotFound, "transfer items from", url,
                    "it holds no item with id \(id.text)",
                    people: .init(operation: "move items from", reason: "the item is not there"))
            }
            let new = try core.insideWrite { try change(element) }
            try peer.append([new])
            remove([id])
            files.leaving.insert(element.id)
            let owned = index.snapshot.names.value
            if let newName = new.folder?.name {
                // An item whose folder is missing, or belongs to another item, gets no new folder.
                peer.files.arriving.folders.insert(newName)
                if let name = element.folder?.name,
                    owned.folders.owner(of: name) == id, !otherStems.contains(name.folded),
                    try index.fileSystem.status(of: name, in: index.folder.handle)?.kind == .folder
                {
                    files.transfer(name, in: nil, to: newName, in: nil)
                }
            }
            if let name = element.file?.name, owned.files.owner(of: name) == id,
                let newName = new.file?.name
            {
                files.transfer(
                    name, in: index.folder.names.stem, to: newName, in: other.store.names.stem)
                peer.files.arriving.files.append(newName)
            }
        }
        peers = [peer]
    }

    /// Opens the collection of `other`, and takes its lock, to exchange items with it.
    func openPeer(_ other: Core) throws -> ElementDraft {
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
                people: .init(
                    operation: "move items from",
                    reason: "the other collection is on another volume"
                ))
        }
        let place = try write.session.lock(other, in: folder)
        return ElementDraft(other.snapshot, other.reader, of: place)
    }
}
