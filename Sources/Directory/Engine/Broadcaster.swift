#if canImport(Combine)
    import Combine
#endif
import Synchronization

/// Tells observers and streams what changed, in the order of the commits.
///
/// Streams hear of a change at once. Observers run code of the user, which may read and even write
/// the collection. So the call that made a change tells them when it holds no lock, before it
/// returns.
final class Broadcaster<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
    typealias Change = Directory<Item>.Change

    /// What observers are told.
    enum Event: Sendable {
        case change(Change)
        case phase
        /// Another answer to whether a change can be undone or redone.
        case history(any KeyPath<Observers, Void> & Sendable)
    }

    private struct Streams {
        var all: [Int: AsyncStream<Change>.Continuation] = [:]
        var lastNumber = 0
    }

    let observers = Observers()
    #if canImport(Combine)
        let announcer = Announcer()
    #endif
    private let streams = Mutex(Streams())

    deinit {
        for stream in streams.withLock({ $0.all }).values { stream.finish() }
    }

    /// Tells the streams of `changes`, which are visible already.
    func publish(_ changes: [Change]) {
        if changes.isEmpty { return }
        let streams = streams.withLock { Array($0.all.values) }
        for stream in streams {
            for change in changes { stream.yield(change) }
        }
    }

    /// Tells the observers of `events`; only while this thread holds no lock.
    func notifyObservers(of events: [Event]) {
        for event in events {
            switch event {
            case .phase: observers.change(\.phase)
            case .history(let part):
                observers.change(part)
                announce()
            case .change(let change): notifyObservers(of: change)
            }
        }
    }

    /// Tells the observers of the item with `id` that its bindings show another value.
    func notifyObservers(ofEditOf id: Item.ID) {
        observers.changeItems([id])
        announce()
    }

    private func notifyObservers(of change: Change) {
        observers.changeItems(change.inserted)
        observers.changeItems(change.updated)
        observers.changeItems(change.removed)
        if change.inserted.count != change.removed.count { observers.change(\.count) }
        observers.change(\.items)
        announce()
    }

    private func announce() {
        #if canImport(Combine)
            MainThread.run { [announcer] in announcer.objectWillChange.send() }
        #endif
    }

    /// The changes from now on, each after it is visible.
    func makeStream() -> AsyncStream<Change> {
        AsyncStream { continuation in
            let number = streams.withLock { streams in
                streams.lastNumber += 1
                streams.all[streams.lastNumber] = continuation
                return streams.lastNumber
            }
            continuation.onTermination = { [weak self] _ in
                self?.streams.withLock { $0.all[number] = nil }
            }
        }
    }
}

#if canImport(Combine)
    /// Has the publisher for views that use `@ObservedObject`.
    ///
    /// A publisher is not Sendable, so no property can hold it here. Combine makes one for each
    /// object that has no published properties, and keeps it (`ObservableObject.objectWillChange`).
    final class Announcer: ObservableObject, Sendable {}
#endif
