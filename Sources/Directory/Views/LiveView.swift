import Observation
import Synchronization

/// A view of a collection that is kept up to date.
///
/// One thread at a time updates it; later changes are merged and wait for that thread. So the first
/// arrangement can be made while commits go on.
final class LiveView<A: Arrangement>: ChangeFollower, Observable, Sendable {
    private struct State {
        var value: A.Value
        var waiting: MergedChanges?
        /// Whether a thread updates the view.
        var isAtWork = true
        /// Whether observers must be told.
        var isChanged = false
    }

    private let core: Core
    private let registrar = ObservationRegistrar()
    /// The path of ``value``; making one of a generic type takes longer than all else here.
    private let path: any KeyPath<LiveView, A.Value> & Sendable = \.value
    private let state: Mutex<State>
    /// Locked only by the thread that updates the view.
    private let arrangement: Mutex<A>

    init(of core: Core, _ arrangement: A) {
        self.core = core
        state = Mutex(State(value: arrangement.value))
        self.arrangement = Mutex(arrangement)
        let elements = core.broadcaster.followers.add(self)
        arrange { $0.rebuild(from: elements) }
        catchUp()
        // No reader can have seen an earlier value.
        state.withLock { $0.isChanged = false }
    }

    /// The contents of the view, observed.
    var value: A.Value {
        registrar.access(self, keyPath: path)
        return state.withLock { $0.value }
    }
}

extension LiveView {
    func follow(_ changes: [ElementChange]) {
        let isFree = state.withLock { state in
            for change in changes {
                if state.waiting == nil {
                    state.waiting = MergedChanges(change)
                } else {
                    state.waiting?.add(change)
                }
            }
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        if isFree { catchUp() }
    }

    func tellObservers() {
        let isChanged = state.withLock { state in
            defer { state.isChanged = false }
            return state.isChanged
        }
        if isChanged { registrar.withMutation(of: self, keyPath: path) {} }
    }

    /// Applies the waiting changes until there are none.
    private func catchUp() {
        while let change = next() {
            var isChanged = false
            arrange { isChanged = $0.apply(change) }
            if isChanged { state.withLock { $0.isChanged = true } }
        }
    }

    private func next() -> ElementChange? {
        state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.isAtWork = false }
            return state.waiting
        }?.change
    }

    /// Calls `body`, which runs code of the user; changes inside it are refused.
    private func arrange(_ body: (inout A) -> Void) {
        let value = core.insideWrite {
            arrangement.withLock { arrangement in
                body(&arrangement)
                return arrangement.value
            }
        }
        state.withLock { $0.value = value }
    }
}
