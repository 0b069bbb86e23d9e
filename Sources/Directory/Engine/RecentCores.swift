import Dispatch
import Synchronization

/// The cores of large collections whose last `Directory` value was released a moment ago.
///
/// They stay in memory for two to four seconds, so that a program that opens a child anew for each change
/// neither reads the whole index each time nor writes it.
final class RecentCores: Sendable {
    static let shared = RecentCores()

    private struct Entry: Sendable {
        let core: any AnyObject & Sendable
        let count: Int
        let end: ContinuousClock.Instant
    }

    private struct State: Sendable {
        /// The one that was released last comes last.
        var entries: [Entry] = []
        var isSweepDue = false
    }

    /// The number of items up to which a collection is opened again quickly.
    private static let smallCount = 1_000
    /// In seconds.
    private static let pause = 2
    /// How many cores are kept, and how many items they have together.
    private static let limits = (cores: 8, items: 1_000_000)
    private let state = Mutex(State())

    /// Keeps `core`, whose last value was released, if it is large.
    func keep<Item>(_ core: Core<Item>) {
        let count = core.snapshot.items.count
        // A collection in memory ends with its volume.
        guard count > Self.smallCount, core.store.volume == nil, !core.isClosed else {
            return
        }
        let entry = Entry(core: core, count: count, end: .now + .seconds(Self.pause))
        let (old, isFirst) = state.withLock { state in
            var old = state.entries.filter { $0.core === core }
            state.entries.removeAll { $0.core === core }
            state.entries.append(entry)
            while state.entries.count > Self.limits.cores
                || state.entries.reduce(0, { $0 + $1.count }) > Self.limits.items
            {
                old.append(state.entries.removeFirst())
            }
            defer { state.isSweepDue = true }
            return (old, !state.isSweepDue)
        }
        if isFirst { sweepLater() }
        // Released without the lock, because the end of a core may write its index.
        withExtendedLifetime(old) {}
    }

    private func sweepLater() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Self.pause)) {
            [self] in
            let (old, isDue) = state.withLock { state in
                let now = ContinuousClock.now
                let old = state.entries.filter { $0.end <= now }
                state.entries.removeAll { $0.end <= now }
                state.isSweepDue = !state.entries.isEmpty
                return (old, state.isSweepDue)
            }
            if isDue { sweepLater() }
            withExtendedLifetime(old) {}
        }
    }

    /// Lets `core` go, and returns whether it was kept.
    func drop(_ core: AnyObject) -> Bool {
        let old = state.withLock { state in
            defer { state.entries.removeAll { $0.core === core } }
            return state.entries.filter { $0.core === core }
        }
        return !old.isEmpty
    }
}
