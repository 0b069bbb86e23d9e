import FileSystem
import Foundation
import Synchronization

extension Core {
    /// The live core of the index in `folder`, or a new one.
    static func shared(
        at folder: URL, index: String, _ options: DirectoryOptions, on fileSystem: any FileSystem
    ) throws -> Core {
        let names = try IndexNames(index, in: folder)
        let store = IndexStore(fileSystem: fileSystem, names: names, options: options)
        let place = try Place.path(folder, on: fileSystem, mode: options.folderPermissions)
        return try DirectoryError.describing("open", folder) {
            if let open = try place.open(false) { return try shared(in: open, place, store) }
            return try sharedBeforeFolder(at: folder, place, store)
        }
    }

    /// The live core of the index in an open folder, or a new one.
    static func shared(in folder: Handle, _ place: Place, _ store: IndexStore) throws -> Core {
        let identity = try store.fileSystem.status(of: folder).identity
        let key = Registry.Key(
            folder: identity, missingPath: [], index: store.names.index,
            item: ObjectIdentifier(Item.self))
        let core = Registry.shared.core(key) { Core(place: place, store: store) }
        core.state.withLock { state in
            state.place = place
            state.identity = identity
        }
        return core
    }

    /// The same for a folder that does not exist yet.
    private static func sharedBeforeFolder(
        at folder: URL, _ place: Place, _ store: IndexStore
    ) throws -> Core {
        var parts = folder.path(percentEncoded: false).split(separator: "/").map(String.init)
        var missing: [String] = []
        var ancestor: Handle?
        while ancestor == nil, let last = parts.popLast() {
            missing.insert(last, at: 0)
            let path = "/" + parts.joined(separator: "/")
            ancestor = try store.fileSystem.unlessMissing {
                try store.fileSystem.openFolder(at: path)
            }
        }
        guard let ancestor else { return Core(place: place, store: store) }
        let key = Registry.Key(
            folder: try store.fileSystem.status(of: ancestor).identity, missingPath: missing,
            index: store.names.index, item: ObjectIdentifier(Item.self))
        return Registry.shared.core(key) { Core(place: place, store: store) }
    }
}
