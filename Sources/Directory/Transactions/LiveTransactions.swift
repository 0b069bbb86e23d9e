import FileSystem
import Synchronization

/// The transactions that stages and commits of this process use, which recovery leaves alone.
final class LiveTransactions: Sendable {
    /// The folders in which any collection of this process keeps what an undo brings back.
    static let keeping = LiveTransactions()
    /// All sides of each write to several collections that this process makes.
    static let trees = LiveTransactions()

    private let names = Mutex<Set<FileName>>([])

    var all: Set<FileName> { names.withLock { $0 } }

    func contains(_ name: FileName) -> Bool { names.withLock { $0.contains(name) } }
    func insert(_ name: FileName) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: FileName) { names.withLock { _ = $0.remove(name) } }
}
