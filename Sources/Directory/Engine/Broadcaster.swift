#if canImport(Combine)
    import Combine
#endif
import Synchronization

/// Tells observers and streams what changed, in the order of the commits.
///
/// Streams hear of a change at once. Observers run code of the user, which may read and even write
/// the collection; so they are told by ``notifyObservers()``, when no lock is held.
final class Broadcaster<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
    typealias Change = Directory<Item>.Change

    private enum Event {
        case change(Change)
        case phase
    }

    private struct State {
        var streams: [Int: AsyncStream<Change>.Continuation] = [:]
        var lastStream = 0
        /// What observers were not told yet.
        var events: [Event] = []
    }

    let observers = Observers()
    #if canImport(Combine)
        let objectWillChange = ObservableObjectPublisher()
    #endif
    private let state = Mutex(State())

    deinit {
        for stream in state.withLock({ $0.streams }).values { stream.finish() }
    }

    /// Records `changes`, which are visible already.
    func publish(_ changes: [Change]) {
        if changes.isEmpty { return }
        let streams = state.withLock { state in
            for change in changes { state.events.append(.change(change)) }
            return Array(state.streams.values)
        }
        for stream in streams {
            for change in changes { stream.yield(change) }
        }
    }

    /// Records that the phase changed.
    func publishPhase() {
        state.withLock { $0.events.append(.phase) }
    }

    /// Tells the observers of what was recorded; only while this thread holds no lock.
    func notifyObservers() {
        let events = state.withLock { state in
            defer { if !state.events.isEmpty { state.events = [] } }
            return state.events
        }
        for event in events {
            switch event {
            case .phase: observers.change(\.phase)
            case .change(let change): notifyObservers(of: change)
            }
        }
    }

    private func notifyObservers(of change: Change) {
        observers.changeItems(change.inserted)
        observers.changeItems(change.updated)
        observers.changeItems(change.removed)
        if change.inserted.count != change.removed.count { observers.change(\.count) }
        observers.change(\.items)
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }

    /// The changes from now on, each after it is visible.
    func makeStream() -> AsyncStream<Change> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.lastStream += 1
                state.streams[state.lastStream] = continuation
                return state.lastStream
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.streams[number] = nil }
            }
        }
    }
}
