#if canImport(Combine)
    import Combine
#endif

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

    let observers = Observers()
    #if canImport(Combine)
        let announcer = Announcer()
    #endif
    let streams = ChangeStreams<Item>()
    let followers = ChangeFollowers<Item>()

    deinit { streams.finish() }

    /// Hands `changes`, which readers can see, to what follows them, then to the streams.
    func publish(_ changes: [Change]) {
        followers.publish(changes)
        streams.publish(changes)
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
        observers.edited.change([id])
        announce()
    }

    private func notifyObservers(of change: Change) {
        for observers in [observers.single, observers.edited] {
            observers.change(change.inserted + change.updated)
            observers.change(change.removed, areRemoved: true)
        }
        if change.inserted.count != change.removed.count { observers.change(\.count) }
        observers.change(\.items)
        followers.tellObservers()
        announce()
    }

    private func announce() {
        #if canImport(Combine)
            MainThread.run { [announcer] in announcer.objectWillChange.send() }
        #endif
    }
}

#if canImport(Combine)
    /// Has the publisher for views that use `@ObservedObject`.
    ///
    /// A publisher is not Sendable, so no property can hold it here. Combine makes one for each
    /// object that has no published properties, and keeps it (`ObservableObject.objectWillChange`).
    final class Announcer: ObservableObject, Sendable {}
#endif
