import FileSystem
import Synchronization

/// The transactions that stages and commits of this process use, which recovery leaves alone.
final class LiveTransactions: Sendable {
    /// The folders in which the collections of this process keep files for an undo.
    static let keeping = LiveTransactions()

    /// The writes of this process to several collections, by the names of the transaction of each part.
    static let joint = LiveTransactions()

    private let names = Mutex<Set<FileName>>([])

    var all: Set<FileName> { names.withLock { $0 } }

    func contains(_ name: FileName) -> Bool { names.withLock { $0.contains(name) } }
    func insert(_ name: FileName) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: FileName) { names.withLock { _ = $0.remove(name) } }
}
