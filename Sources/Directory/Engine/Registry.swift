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
        /// The type of the items, which has a reader of its own.
        let type: ObjectIdentifier

        init(_ anchor: FolderAnchor, _ store: IndexStore, _ type: any ElementReader.Type) {
            self.anchor = anchor
            index = store.names.index
            self.type = ObjectIdentifier(type)
        }
    }

    private struct Entry {
        weak var core: Core?
        let live: LiveTransactions
        /// The key of the collection whose item has the folder; nil if the folder was opened by its path.
        ///
        /// Not the core of that collection: another one takes its place if it is closed and opened again.
        var outer: Key?
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
    func core(
        at location: any FolderLocation, _ store: IndexStore, _ type: any ElementReader.Type
    ) throws -> Core {
        try core(at: location, location.anchor(), store, type)
    }

    /// The live core of the index in an open folder, or a new one.
    func core(
        in folder: Handle, at location: any FolderLocation, _ store: IndexStore,
        _ type: any ElementReader.Type
    ) throws -> Core {
        let identity = try store.fileSystem.status(of: folder).identity
        return try core(at: location, FolderAnchor(folder: identity), store, type)
    }

    /// - Throws: ``DirectoryError`` with `optionsDiffer` if the live core has other options.
    private func core(
        at location: any FolderLocation, _ anchor: FolderAnchor, _ store: IndexStore,
        _ type: any ElementReader.Type
    ) throws -> Core {
        for isLastTry in [false, true] {
            let shared = findOrAdd(location, anchor, store, type)
            if shared.store.options.agree(with: store.options, inContainer: location.isContainer) {
                shared.found(at: location, anchor)
                setOuter(of: shared, under: Key(anchor, store, type))
                return shared
            }
            // A core of `RecentCores` is released before the next try.
            guard !isLastTry, RecentCores.shared.drop(shared) else { break }
        }
        throw DirectoryError(
            .optionsDiffer, "open", location.url.appending(path: store.names.index.string),
            "it is open in this process with other options")
    }

    private func findOrAdd(
        _ location: any FolderLocation, _ anchor: FolderAnchor, _ store: IndexStore,
        _ type: any ElementReader.Type
    ) -> Core {
        let key = Key(anchor, store, type)
        let found = find(key)
        let candidates = [found].compactMap { $0 } + findMissing(like: key)
        let core =
            candidates.first { $0.leads(to: anchor, as: location) } ?? Core(location, store, type)
        return add(core, under: key, replacing: found)
    }

    /// Registers `core`, whose `location` is the folder at `anchor`, unless another core of the
    /// same index is registered there.
    func move(_ core: Core, at location: any FolderLocation, to anchor: FolderAnchor) {
        let key = Key(anchor, core.store, type(of: core.reader))
        let found = find(key)
        if found?.leads(to: anchor, as: location) == true { return }
        _ = add(core, under: key, replacing: found)
    }
}

extension Registry {
    /// The live cores of all indexes with items of one type in the folder at `anchor`.
    func cores(at anchor: FolderAnchor, _ type: any ElementReader.Type) -> [Core] {
        let type = ObjectIdentifier(type)
        return cores.withLock { cores in
            cores.all.compactMap { key, entry in
                key.type == type && key.anchor == anchor ? entry.core : nil
            }
        }
    }

    /// The live cores of the indexes in the folders of the items of `outer`.
    ///
    /// No other core is retained: the last release of a core writes its index, and must do that in the thread that
    /// releases it.
    func cores(in outer: Core) -> [Core] {
        guard let outer = key(of: outer) else { return [] }
        return cores.withLock { cores in
            cores.all.values.compactMap { $0.outer == outer ? $0.core : nil }
        }
    }

    /// Remembers in which collection `core`, registered under `key`, now is.
    private func setOuter(of core: Core, under key: Key) {
        let outer = outer(of: core)
        cores.withLock { cores in
            // A core that was closed may have left its place to another one meanwhile.
            if cores.all[key]?.core === core { cores.all[key]?.outer = outer }
        }
    }

    /// The key of the collection whose item has the folder of `core`; nil if the folder was opened by its path.
    private func outer(of core: Core) -> Key? {
        (core.location.value as? ContainerLocation).flatMap { key(of: $0.collection) }
    }

    /// The key of `core` by its folder; nil if that was not found yet.
    private func key(of core: Core) -> Key? {
        core.state.withLock { $0.identity }
            .map { Key(FolderAnchor(folder: $0), core.store, type(of: core.reader)) }
    }

    /// The transactions of all collections in this process.
    var liveTransactions: Set<FileName> {
        let live = cores.withLock { $0.all.values.map(\.live) }
        return live.reduce(into: LiveTransactions.joint.all) { $0.formUnion($1.all) }
    }

    private func find(_ key: Key) -> Core? { cores.withLock { $0.all[key]?.core } }

    /// The cores of the same volume, index name and item type whose folders did not exist.
    private func findMissing(like key: Key) -> [Core] {
        cores.withLock { cores in
            cores.missing.compactMap { other in
                guard other.index == key.index, other.type == key.type,
                    other.anchor.folder.device == key.anchor.folder.device
                else { return nil }
                return cores.all[other]?.core
            }
        }
    }

    /// Registers `core` under `key`, unless a core other than `stale` is registered there.
    ///
    /// - Returns: The core that is registered now.
    private func add(_ core: Core, under key: Key, replacing stale: Core?) -> Core {
        let entry = Entry(core: core, live: core.live, outer: outer(of: core))
        return cores.withLock { cores in
            if let found = cores.all[key]?.core, found !== stale { return found }
            cores.all[key] = entry
            if !key.anchor.missingPath.isEmpty { cores.missing.insert(key) }
            if cores.all.count > 64, cores.all.count.nonzeroBitCount == 1 {
                cores.all = cores.all.filter { $0.value.core != nil }
                cores.missing = cores.missing.filter { cores.all[$0] != nil }
            }
            return core
        }
    }
}
