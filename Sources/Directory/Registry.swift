import FileSystem
import Synchronization

/// The live cores of this process, so that there is one for each index.
///
/// A core is found by the folder's device and inode, whatever path led to it. Before its folder
/// exists, it is found by the folder that will hold it and the path that is missing below.
final class Registry: Sendable {
    static let shared = Registry()

    struct Key: Hashable {
        let folder: FileIdentity
        let missingPath: [String]
        let index: FileName
        let item: ObjectIdentifier
    }

    private struct Entry {
        weak var core: AnyObject?
    }

    private let cores = Mutex<[Key: Entry]>([:])

    /// The live core under `key`, or the one that `make` returns.
    func core<Item>(_ key: Key, orElse make: () -> Core<Item>) -> Core<Item> {
        cores.withLock { cores in
            if let core = cores[key]?.core as? Core<Item> { return core }
            let core = make()
            cores[key] = Entry(core: core)
            if cores.count > 64, cores.count.nonzeroBitCount == 1 {
                cores = cores.filter { $0.value.core != nil }
            }
            return core
        }
    }

    /// Lets `core`, whose folder now exists, be found by it, unless another core is.
    func register<Item>(_ core: Core<Item>, in folder: FileIdentity, as index: FileName) {
        let key = Key(
            folder: folder, missingPath: [], index: index, item: ObjectIdentifier(Item.self))
        _ = self.core(key) { core }
    }
}
