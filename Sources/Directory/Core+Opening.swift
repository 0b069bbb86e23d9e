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
        return try DirectoryError.describing("open", folder) { try shared(place, store) }
    }

    /// The live core of the index in the folder at `place`, or a new one.
    static func shared(_ place: Place, _ store: IndexStore) throws -> Core {
        let anchors = try place.anchors()
        let new = Core(place: place, store: store)
        guard let anchor = anchors.first else { throw new.folderRemoved }
        for key in anchors.map(new.key) {
            if let core: Core = Registry.shared.core(under: key), core.leads(to: anchor) {
                core.settle(at: anchor, place)
                return core
            }
        }
        return new.settle(at: anchor, place)
    }

    private func key(_ anchor: Anchor) -> Registry.Key {
        Registry.Key(
            anchor: anchor, index: store.names.index, item: ObjectIdentifier(Item.self))
    }

    /// Whether the place of this core leads to `anchor`.
    ///
    /// One that no longer does belongs to a folder that was moved or removed, even where a new
    /// folder has got the inode of that one.
    private func leads(to anchor: Anchor) -> Bool {
        let (place, identity) = state.withLock { ($0.place, $0.identity) }
        if let identity, anchor != Anchor(folder: identity, missingPath: []) { return false }
        do {
            return try place.anchors().first == anchor
        } catch {
            // Whatever the reason, this core cannot reach the folder.
            return false
        }
    }

    /// Lets this core be found at `anchor`, unless another leads there; returns that one.
    @discardableResult
    func settle(at anchor: Anchor, _ place: Place? = nil) -> Core {
        let key = key(anchor)
        let found: Core? = Registry.shared.core(under: key)
        if let found, found !== self, found.leads(to: anchor) { return found }
        let core = Registry.shared.register(self, under: key, replacing: found)
        core.state.withLock { state in
            if anchor.missingPath.isEmpty { state.identity = anchor.folder }
            if let place, place.followsItem { state.place = place }
        }
        return core
    }
}
