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

    private let cores = Mutex<[Key: Entry]>([:])

    /// The live core under `key`.
    func core<Item>(under key: Key) -> Core<Item>? {
        cores.withLock { $0[key]?.core as? Core<Item> }
    }

    /// The live cores of the same volume, index name and item type whose folders did not exist.
    func waiting<Item>(like key: Key) -> [Core<Item>] {
        cores.withLock { cores in
            cores.compactMap { other, entry in
                guard !other.anchor.missingPath.isEmpty, other.index == key.index,
                    other.anchor.folder.device == key.anchor.folder.device
                else { return nil }
                return entry.core as? Core<Item>
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
            if let found = cores[key]?.core as? Core<Item>, found !== stale { return found }
            cores[key] = Entry(core: core)
            if cores.count > 64, cores.count.nonzeroBitCount == 1 {
                cores = cores.filter { $0.value.core != nil }
            }
            return core
        }
    }
}
