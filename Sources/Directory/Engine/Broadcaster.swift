#if canImport(Combine)
    import Combine
#endif

/// Tells observers and streams of changes, in the order of the commits.
///
/// Streams are told at once. Observers run code of the user, which can read and even write the
/// collection. So the call that made a change tells them before it returns, when it holds no lock.
final class Broadcaster: Sendable {
    /// An event for observers.
    enum Event: Sendable {
        case change(ElementChange)
        case phase
        /// `canUndo` or `canRedo` has changed.
        case history(any KeyPath<Observers, Void> & Sendable)
    }

    let observers = Observers()
    #if canImport(Combine)
        let announcer = Announcer()
    #endif
    let streams = ChangeStreams()
    let followers = ChangeFollowers()

    deinit { streams.finish() }

    /// Gives `changes`, which readers can see, to the followers, then to the streams.
    func publish(_ changes: [ElementChange]) {
        followers.publish(changes)
        streams.publish(changes)
    }

    /// Tells the observers of `events`; this thread must hold no lock.
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

    /// Tells the observers of the item whose id has `hash` that its bindings show another value.
    func notifyObservers(ofEditOf hash: Int) {
        if observers.edited.areThereAny { observers.edited.change([hash]) }
        announce()
    }

    private func notifyObservers(of change: ElementChange) {
        for observers in [observers.single, observers.edited] where observers.areThereAny {
            // Code of the items makes the hashes, so the observers do not lock anything meanwhile.
            observers.change((change.inserted + change.updated).map(\.hash))
            observers.change(change.removed.map(\.hash), areRemoved: true)
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
