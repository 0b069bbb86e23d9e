import FileSystem
import Foundation
import Synchronization

/// The cores of this process that are in use: one for each index and item type.
///
/// A core is found by the device and inode of its folder, so every path to the folder leads to it.
/// Before the folder exists, the core is found by the nearest existing ancestor and the rest of the
/// path.
final class Registry: Sendable {
    static let shared = Registry()

    private struct Key: Hashable {
        let anchor: FolderAnchor
        let index: FileName
        let item: ObjectIdentifier

        init<Item>(_ anchor: FolderAnchor, _ store: IndexStore, _ item: Item.Type) {
            self.anchor = anchor
            index = store.names.index
            self.item = ObjectIdentifier(item)
        }
    }

    private struct Entry {
        weak var core: AnyObject?
        let live: LiveTransactions
    }

    private struct Cores {
        var all: [Key: Entry] = [:]
        /// The keys of folders that did not exist; there are few.
        var missing: Set<Key> = []
    }

    private let cores = Mutex(Cores())
}

extension Registry {
    /// The live core of the index at `location`, or a new one.
    func core<Item>(at location: any FolderLocation, _ store: IndexStore) throws -> Core<Item> {
        try core(at: location, location.anchor(), store)
    }

    /// The live core of the index in an open folder, or a new one.
    func core<Item>(in folder: Handle, at location: any FolderLocation, _ store: IndexStore) throws
        -> Core<Item>
    {
        let identity = try store.fileSystem.status(of: folder).identity
        return try core(at: location, FolderAnchor(folder: identity), store)
    }

    /// - Throws: ``DirectoryError`` with `optionsDiffer` if the live core has other options.
    private func core<Item>(
        at location: any FolderLocation, _ anchor: FolderAnchor, _ store: IndexStore
    ) throws -> Core<Item> {
        for isLastTry in [false, true] {
            let shared: Core<Item> = findOrAdd(location, anchor, store)
            if shared.store.options.agree(with: store.options, inContainer: location.isContainer) {
                shared.found(at: location, anchor)
                return shared
            }
            // A core of `RecentCores` is released before the next try.
            guard !isLastTry, RecentCores.shared.drop(shared) else { break }
        }
        throw DirectoryError(
            .optionsDiffer, "open", location.url.appending(path: store.names.index.string),
            "it is open in this process with other options")
    }

    private func findOrAdd<Item>(
        _ location: any FolderLocation, _ anchor: FolderAnchor, _ store: IndexStore
    ) -> Core<Item> {
        let key = Key(anchor, store, Item.self)
        let found: Core<Item>? = find(key)
        let candidates = [found].compactMap { $0 } + findMissing(like: key)
        let core =
            candidates.first { $0.leads(to: anchor, as: location) } ?? Core(location, store)
        return add(core, under: key, replacing: found)
    }

    /// Registers `core`, whose `location` is the folder at `anchor`, unless another core of the
    /// same index is registered there.
    func move<Item>(_ core: Core<Item>, at location: any FolderLocation, to anchor: FolderAnchor) {
        let key = Key(anchor, core.store, Item.self)
        let found: Core<Item>? = find(key)
        if found?.leads(to: anchor, as: location) == true { return }
        _ = add(core, under: key, replacing: found)
    }
}

extension Registry {
    /// The live cores of all indexes with items of one type in the folder at `anchor`.
    func cores<Item>(at anchor: FolderAnchor) -> [Core<Item>] {
        let type = ObjectIdentifier(Item.self)
        return cores.withLock { cores in
            cores.all.compactMap { key, entry in
                key.item == type && key.anchor == anchor ? entry.core as? Core<Item> : nil
            }
        }
    }

    /// The transactions of all collections in this process.
    var liveTransactions: Set<FileName> {
        let live = cores.withLock { $0.all.values.map(\.live) }
        return live.reduce(into: LiveTransactions.trees.all) { $0.formUnion($1.all) }
    }

    private func find<Item>(_ key: Key) -> Core<Item>? {
        cores.withLock { $0.all[key]?.core as? Core<Item> }
    }

    /// The cores of the same volume, index name and item type whose folders did not exist.
    private func findMissing<Item>(like key: Key) -> [Core<Item>] {
        cores.withLock { cores in
            cores.missing.compactMap { other in
                guard other.index == key.index,
                    other.anchor.folder.device == key.anchor.folder.device
                else { return nil }
                return cores.all[other]?.core as? Core<Item>
            }
        }
    }

    /// Registers `core` under `key`, unless a core other than `stale` is registered there.
    ///
    /// - Returns: The core that is registered now.
    private func add<Item>(_ core: Core<Item>, under key: Key, replacing stale: Core<Item>?)
        -> Core<Item>
    {
        cores.withLock { cores in
            if let found = cores.all[key]?.core as? Core<Item>, found !== stale { return found }
            cores.all[key] = Entry(core: core, live: core.live)
            if !key.anchor.missingPath.isEmpty { cores.missing.insert(key) }
            if cores.all.count > 64, cores.all.count.nonzeroBitCount == 1 {
                cores.all = cores.all.filter { $0.value.core != nil }
                cores.missing = cores.missing.filter { cores.all[$0] != nil }
            }
            return core
        }
    }
}
