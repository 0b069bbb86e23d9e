import FileSystem
import Foundation
import Synchronization

extension Core {
    /// The live core of the index in `folder`, or a new one.
    static func shared(
        at folder: URL, index: String, _ options: DirectoryOptions, on fileSystem: any FileSystem,
        isContainer: Bool = false
    ) throws -> Core {
        let names = try IndexNames(index, in: folder)
        let store = IndexStore(fileSystem: fileSystem, names: names, options: options)
        let place = try Place.path(
            folder, on: fileSystem, mode: options.folderPermissions, isContainer: isContainer)
        return try DirectoryError.describing("open", folder) {
            shared(try place.anchor(), place, store)
        }
    }

    /// The live core of the index in an open folder, or a new one.
    static func shared(in folder: Handle, _ place: Place, _ store: IndexStore) throws -> Core {
        let identity = try store.fileSystem.status(of: folder).identity
        return shared(Anchor(folder: identity), place, store)
    }

    private static func shared(_ anchor: Anchor, _ place: Place, _ store: IndexStore) -> Core {
        let new = Core(place: place, store: store)
        let key = new.key(anchor)
        let found: Core? = Registry.shared.core(under: key)
        let candidates = [found].compactMap { $0 } + Registry.shared.waiting(like: key)
        let core = candidates.first { $0.leads(to: anchor, as: place) } ?? new
        let shared = Registry.shared.register(core, under: key, replacing: found)
        shared.state.withLock { state in
            if anchor.missingPath.isEmpty { state.identity = anchor.folder }
            if place.followsItem { state.place = place }
        }
        return shared
    }

    /// Remembers which folder the index lies in, from the first time that it is seen.
    func adopt(_ folder: Handle) throws {
        let identity = try fileSystem.status(of: folder).identity
        state.withLock { $0.identity = identity }
        let anchor = Anchor(folder: identity)
        let found: Core? = Registry.shared.core(under: key(anchor))
        if found?.leads(to: anchor, as: place) == true { return }
        _ = Registry.shared.register(self, under: key(anchor), replacing: found)
    }

    private func key(_ anchor: Anchor) -> Registry.Key {
        Registry.Key(
            anchor: anchor, index: store.names.index, item: ObjectIdentifier(Item.self))
    }

    /// Whether the place of this core leads to `anchor`, as `other` does.
    ///
    /// One that no longer does belongs to a folder that was moved or removed, even where a new
    /// folder has got the inode of that one.
    private func leads(to anchor: Anchor, as other: Place) -> Bool {
        let (place, identity) = state.withLock { ($0.place, $0.identity) }
        if let identity, anchor != Anchor(folder: identity) { return false }
        if place.isSame(as: other) { return true }
        do {
            return try place.anchor() == anchor
        } catch {
            // Whatever the reason, this core cannot reach the folder.
            return false
        }
    }
}
