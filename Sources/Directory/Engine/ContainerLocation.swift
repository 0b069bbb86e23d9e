import FileSystem
import Foundation
import Synchronization

/// The folder of an item of a collection, also after the item is renamed.
struct ContainerLocation: FolderLocation {
    let collection: Core
    let id: ElementID
    /// The name that the folder had last, for messages after the item was removed.
    private let lastName = LastName()

    init(collection: Core, id: ElementID) {
        self.collection = collection
        self.id = id.alone
    }

    var url: URL {
        let name = (folderName ?? lastName.value.withLock { $0 })?.string ?? ""
        return collection.folderURL.appending(path: name, directoryHint: .isDirectory)
    }

    var followsItem: Bool { true }
    var isContainer: Bool { true }

    func open(making: Bool) throws -> Handle? { try open() }

    func status() throws -> FileStatus? {
        guard let name = folderName, let folder = try collection.openFolderIfUnmoved() else {
            return nil
        }
        return try collection.fileSystem.status(of: name, in: folder.handle)
    }

    func openIfUnmoved() throws -> Handle? {
        guard let name = folderName, let folder = try collection.openFolderIfUnmoved() else {
            return nil
        }
        return try folder.openFolder(name)
    }

    func anchor() throws -> FolderAnchor {
        guard let folder = try open() else { throw collection.folderIsMissing }
        return FolderAnchor(folder: try collection.fileSystem.status(of: folder).identity)
    }

    /// Loads while no process changes the collection, so that each folder has the name in its item.
    func refresh() throws {
        // A write of this thread has locked the collection and refreshed it.
        if collection.isLockedHere { return }
        do {
            if try collection.withLock({ _ in }) == nil { try collection.load() }
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

    private var folderName: FileName? {
        let name = collection.snapshot.elements[id]?.folder?.name
        if name != nil { lastName.value.withLock { $0 = name } }
        return name
    }
}

extension ContainerLocation {
    /// Opens the folder that the item owns at one moment of this call; makes the folder if it is
    /// missing.
    ///
    /// The item is on stable storage then, so that commits of a child are not lost with the item.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`, `invalidName`, or `nameTaken` if another
    ///   item owns the folder.
    func openOrMake() throws -> Handle {
        if let found = try openIfCurrent() ?? openIfCurrent() { return found }
        _ = try checkedName(in: collection.snapshot)
        if let error = try collection.unendedMove() { throw error }
        let made = try collection.withLock(making: true) { index in
            try index.makeDurable()
            let name = try checkedName(in: index.snapshot)
            do {
                return try index.folder.openOrMake(name)
            } catch let error as FileSystemError where error.isNoFolder {
                throw DirectoryError(
                    .nameTaken, "open", index.folder.handle.url(of: name),
                    "something else is in place of the folder of the item", underlying: error,
                    remedy: "Move it away, or call repair().",
                    people: .init(
                        reason: "something else is in place of this folder",
                        remedy: "Move it away, and try again."))
            }
        }
        guard let made else { throw collection.folderIsMissing }
        return made
    }

    /// Opens the folder; nil if the items in memory were not the newest state, or if the folder is
    /// missing.
    private func openIfCurrent() throws -> Handle? {
        let found = try collection.load { folder, known in
            guard let name = try? checkedName(in: known) else { return nil }
            return try? folder.openFolder(name)
        }
        if let found { try collection.makeDurable(in: found.folder) }
        return found?.opened
    }

    /// The name of the folder that the item owns.
    func checkedName(in snapshot: Snapshot) throws -> FileName {
        guard let element = snapshot.elements[id] else { throw itemNotFound }
        let name = try NameRules.checkFolder(
            element.folder?.text ?? "", in: collection.folderURL)
        guard snapshot.names.value.folders.owner(of: name) == element.id else {
            throw DirectoryError(
                .nameTaken, "open a child in", collection.url,
                "another item has the folder \(name)",
                people: .init(
                    operation: "open the folder of an item of",
                    reason: "another item has the folder already"))
        }
        lastName.value.withLock { $0 = name }
        return name
    }

    private var itemNotFound: DirectoryError {
        DirectoryError(
            .itemNotFound, "open a child in", collection.url, "no item has the id \(id.text)",
            people: .init(
                operation: "open the folder of an item of", reason: "the item is not there"))
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

private final class LastName: Sendable {
    let value = Mutex<FileName?>(nil)
}
