import FileSystem
import Foundation

/// The folder of an item of a collection, whatever name the item has now.
struct ContainerLocation<Item: Codable & Identifiable & Sendable>: FolderLocation
where Item.ID: Sendable {
    let collection: Core<Item>
    let id: Item.ID

    var url: URL {
        let name = folderName?.string ?? "removed"
        return collection.folderURL.appending(path: name, directoryHint: .isDirectory)
    }

    var followsItem: Bool { true }
    var isContainer: Bool { true }

    func open(making: Bool) throws -> Handle? { try open() }

    func anchor() throws -> FolderAnchor {
        guard let folder = try open() else { throw collection.folderIsMissing }
        return FolderAnchor(folder: try collection.fileSystem.status(of: folder).identity)
    }

    /// Loads while no process changes the collection, so that each folder is where its item says:
    /// a change moves the folder first and commits the index second.
    func refresh() throws {
        do {
            guard let folder = try collection.openFolder(making: false) else {
                return try collection.load()
            }
            try collection.withLock(in: folder) { _ in }
        } catch let error as FileSystemError where error.isWriteRefusal {
            try collection.load()
        }
    }

    /// Opens the folder; nil if the item or its folder is missing.
    private func open() throws -> Handle? {
        guard let name = folderName, let folder = try collection.openFolder(making: false) else {
            return nil
        }
        return try folder.openFolder(name)
    }

    private var folderName: FileName? { folderName(in: collection.snapshot) }

    private func folderName(in snapshot: Directory<Item>.Snapshot) -> FileName? {
        snapshot.items[id: id].flatMap(Ownership<Item>.folderName).flatMap(NameRules.folder)
    }
}

extension ContainerLocation {
    /// Opens the folder of the item, and makes it again if it is missing.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `invalidName`, or `nameTaken` if another
    ///   item owns the folder.
    func openOrMake() throws -> Handle {
        try collection.loadIfNeeded()
        if folderName == nil { try collection.load() }
        guard let item = collection.snapshot.items[id: id] else { throw itemNotFound }
        if let text = Ownership<Item>.folderName(of: item) {
            let name = try NameRules.checkFolder(text, in: collection.folderURL)
            guard collection.snapshot.names.value.folders.owner(of: name) == id else {
                throw DirectoryError(
                    .nameTaken, "open a child in", collection.url,
                    "another item has the folder \(name)")
            }
        }
        if let folder = try open() { return folder }
        guard let folder = try collection.openFolder(making: true) else {
            throw collection.folderIsMissing
        }
        return try collection.withLock(in: folder) { index in
            guard let name = folderName(in: index.snapshot) else { throw itemNotFound }
            return try folder.openOrMake(name)
        }
    }

    private var itemNotFound: DirectoryError {
        DirectoryError(
            .itemNotFound, "open a child in", collection.url, "no item has the id \(id)")
    }
}

extension ContainerLocation {
    static func == (left: Self, right: Self) -> Bool {
        left.collection === right.collection && left.id == right.id
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(collection))
        hasher.combine(id)
    }
}

extension FileSystemError {
    /// Whether the volume or the folder cannot be written to by this user, or is full.
    var isWriteRefusal: Bool {
        isFullVolume || [.readOnly, .accessDenied, .notPermitted].contains(code)
    }
}
