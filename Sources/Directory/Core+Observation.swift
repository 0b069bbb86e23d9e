#if canImport(Combine)
    import Combine
#endif
import Observation
import Synchronization

extension Core {
    /// The items, observed as a whole.
    var items: Directory<Item>.Items {
        registrar.access(self, keyPath: \.items)
        return snapshot.items
    }

    /// The number of items, observed on its own.
    var count: Int {
        registrar.access(self, keyPath: \.count)
        return snapshot.items.count
    }

    /// The loading state, observed.
    var phase: Directory<Item>.Phase {
        registrar.access(self, keyPath: \.phase)
        return currentPhase
    }

    /// The loading state, not observed.
    var currentPhase: Directory<Item>.Phase { state.withLock { $0.phase } }

    /// One item, observed on its own.
    subscript(id id: Item.ID) -> Item? {
        registrar.access(self, keyPath: \.[id: id])
        return snapshot.items[id: id]
    }

    func setPhase(_ next: (Directory<Item>.Phase) -> Directory<Item>.Phase) {
        let changed = state.withLock { state in
            let phase = next(state.phase)
            defer { state.phase = phase }
            return phase != state.phase
        }
        if changed { registrar.withMutation(of: self, keyPath: \.phase) {} }
    }

    /// Tells the observers of what `change` touched.
    ///
    /// Called when the change is visible and no lock is held, so an observer may read at once,
    /// and even write.
    func notify(_ change: Directory<Item>.Change) {
        guard !change.isEmpty else { return }
        for id in change.inserted + change.updated + change.removed {
            registrar.withMutation(of: self, keyPath: \.[id: id]) {}
        }
        if change.inserted.count != change.removed.count {
            registrar.withMutation(of: self, keyPath: \.count) {}
        }
        registrar.withMutation(of: self, keyPath: \.items) {}
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
