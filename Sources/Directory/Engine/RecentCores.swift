import Dispatch
import FileSystem
import Synchronization

/// The cores of large collections whose last `Directory` value was released a moment ago.
///
/// They stay in memory for two to four seconds. So a program that opens a child anew for each change neither reads nor
/// writes the whole index each time.
final class RecentCores: Sendable {
    static let shared = RecentCores()

    private struct Entry: Sendable {
        let core: Core
        /// The size in bytes of the core's index.
        let size: Int
        let end: ContinuousClock.Instant
    }

    private struct State: Sendable {
        /// In the order of their release.
        var entries: [Entry] = []
        var isSweepDue = false
    }

    /// The size in bytes up to which an index is read quickly.
    private static let smallSize = 1 << 16
    /// In seconds.
    private static let pause = 2
    /// How many cores are kept, and how many bytes their indexes have together.
    private static let limits = (cores: 8, bytes: 1 << 28)
    private let state = Mutex(State())

    /// Keeps `core`, whose last value was released, if its index is large.
    func keep(_ core: Core) {
        // A collection in memory ends with its volume.
        guard core.store.volume == nil, !core.isClosed else { return }
        let size = core.known.state.version?.index?.size ?? 0
        guard size > Self.smallSize else { return }
        let entry = Entry(core: core, size: size, end: .now + .seconds(Self.pause))
        let (old, isFirst) = state.withLock { state in
            var old = state.entries.filter { $0.core === core }
            state.entries.removeAll { $0.core === core }
            state.entries.append(entry)
            while state.entries.count > Self.limits.cores
                || state.entries.reduce(0, { $0 + $1.size }) > Self.limits.bytes
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

    /// Releases `core`, and returns whether it was kept.
    func drop(_ core: Core) -> Bool {
        let old = state.withLock { state in
            defer { state.entries.removeAll { $0.core === core } }
            return state.entries.filter { $0.core === core }
        }
        return !old.isEmpty
    }
}
