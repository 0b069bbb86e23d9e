#if canImport(Combine)
    import Combine
#endif
import Synchronization

extension Core {
    /// The items, observed as a whole.
    var items: Directory<Item>.Items {
        observers.access(\.items)
        return snapshot.items
    }

    /// The number of items, observed on its own.
    var count: Int {
        observers.access(\.count)
        return snapshot.items.count
    }

    /// The loading state, observed.
    var phase: Directory<Item>.Phase {
        observers.access(\.phase)
        return currentPhase
    }

    /// The loading state, not observed.
    var currentPhase: Directory<Item>.Phase { state.withLock { $0.phase } }

    /// One item, observed on its own.
    subscript(id id: Item.ID) -> Item? {
        observers.accessItem(id.hashValue)
        return snapshot.items[id: id]
    }

    func setPhase(_ next: (Directory<Item>.Phase) -> Directory<Item>.Phase) {
        let changed = state.withLock { state in
            let phase = next(state.phase)
            defer { state.phase = phase }
            return phase != state.phase
        }
        if changed { observers.change(\.phase) }
    }

    /// Tells the observers of what `change` touched.
    ///
    /// Called when the change is visible and no lock is held, so an observer may read at once,
    /// and even write.
    func notify(_ change: Directory<Item>.Change) {
        guard !change.isEmpty else { return }
        observers.changeItems(change.inserted)
        observers.changeItems(change.updated)
        observers.changeItems(change.removed)
        if change.inserted.count != change.removed.count {
            observers.change(\.count)
        }
        observers.change(\.items)
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }

    /// The changes from now on, each after it is visible.
    func changes() -> AsyncStream<Directory<Item>.Change> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
