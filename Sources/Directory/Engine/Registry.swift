import FileSystem
import Synchronization

/// The live cores of this process, so that there is one for each index.
///
/// A core is found by the folder's device and inode, whatever path led to it. Before its folder
/// exists, it is found by the folder that will hold it and the path that is missing below.
final class Registry: Sendable {
    static let shared = Registry()

    struct Key: Hashable {
        let anchor: Anchor
        let index: FileName
        let item: ObjectIdentifier
    }

    private struct Entry {
        weak var core: AnyObject?
    }

    private struct Cores {
        var all: [Key: Entry] = [:]
        /// The keys among them whose folders did not exist, which are few.
        var waiting: Set<Key> = []
    }

    private let cores = Mutex(Cores())

    /// The live core under `key`.
    func core<Item>(under key: Key) -> Core<Item>? {
        cores.withLock { $0.all[key]?.core as? Core<Item> }
    }

    /// The live cores of the same volume, index name and item type whose folders did not exist.
    func waiting<Item>(like key: Key) -> [Core<Item>] {
        cores.withLock { cores in
            cores.waiting.compactMap { other in
                guard other.index == key.index,
                    other.anchor.folder.device == key.anchor.folder.device
                else { return nil }
                return cores.all[other]?.core as? Core<Item>
            }
        }
    }

    /// Lets `core` be found under `key`, unless another than `stale` is found there by now.
    ///
    /// Returns the one that is found there now.
    func register<Item>(_ core: Core<Item>, under key: Key, replacing stale: Core<Item>?)
        -> Core<Item>
    {
        cores.withLock { cores in
            if let found = cores.all[key]?.core as? Core<Item>, found !== stale { return found }
            cores.all[key] = Entry(core: core)
            if !key.anchor.missingPath.isEmpty { cores.waiting.insert(key) }
            if cores.all.count > 64, cores.all.count.nonzeroBitCount == 1 {
                cores.all = cores.all.filter { $0.value.core != nil }
                cores.waiting = cores.waiting.filter { cores.all[$0] != nil }
            }
            return core
        }
    }
}
