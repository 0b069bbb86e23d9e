import Dispatch
import Foundation
import Synchronization

/// The collections of small indexes with a journal, which is written into the index a moment later.
///
/// A write to several collections needs journals. Without one, an index can be read and edited by hand. So the journal of
/// a small index stays for about a tenth of a second, in which more such writes can use it, or until the process exits.
///
/// The newest few of these collections stay in memory as long, although all of their `Directory` values were released;
/// the others are written when they are released.
final class ShortJournals: Sendable {
    static let shared = ShortJournals()

    private struct State: Sendable {
        var cores: [ObjectIdentifier: WeakCore] = [:]
        /// In the order of their writes.
        var newest: [Core] = []
    }

    private struct WeakCore: Sendable {
        weak var core: Core?
    }

    /// Each has files open.
    private static let limit = 8
    private let state = Mutex(State())
    /// One index after the other, so that many of them need no more open files than one.
    private let queue = DispatchQueue(label: "Directory.shortJournals", qos: .utility)

    private init() {
        // exit(3) calls this function, and so does the end of `main`.
        atexit { ShortJournals.shared.end() }
    }

    /// Writes the journal of `core` into its index after `time`.
    func add(_ core: Core, for time: Duration) {
        let id = ObjectIdentifier(core)
        let (isNew, old) = state.withLock { state in
            // The entry of a core that was released may have the same id.
            let isNew = state.cores.updateValue(WeakCore(core: core), forKey: id)?.core == nil
            state.newest.removeAll { $0 === core }
            state.newest.append(core)
            return (isNew, state.newest.count > Self.limit ? state.newest.removeFirst() : nil)
        }
        // The end of a core may write its index, and this thread may have locks.
        if let old { queue.async { withExtendedLifetime(old) {} } }
        guard isNew else { return }
        queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [self, weak core] in
            let core = core
            state.withLock { state in
                guard state.cores[id]?.core === core else { return }
                state.cores[id] = nil
                state.newest.removeAll { $0 === core }
            }
            if let core, !core.checkpointIfFree() { add(core, for: time) }
        }
    }

    private func end() {
        let cores = state.withLock { Array($0.cores.values) }
        for core in cores { core.core?.checkpointIfFree() }
    }
}
