import Synchronization

/// Follows each change before streams and observers are told.
protocol ChangeFollower: AnyObject, Sendable {
    /// Applies `changes`, which readers can see. It is called while the collection is locked, so
    /// the code that it runs must not change any collection.
    func follow(_ changes: [ElementChange])

    /// Tells its observers, if its value has changed; called while nothing is locked.
    func tellObservers()
}

/// The followers of a collection's changes; each is held weakly.
final class ChangeFollowers: Sendable {
    private struct Entry {
        weak var follower: (any ChangeFollower)?
    }

    private struct State {
        /// The elements after the newest change.
        var elements = Elements()
        var entries: [Entry] = []

        /// The followers that are still held.
        mutating func all() -> [any ChangeFollower] {
            if entries.isEmpty { return [] }
            let all = entries.compactMap { $0.follower }
            if all.count < entries.count { entries.removeAll { $0.follower == nil } }
            return all
        }
    }

    private let state = Mutex(State())
}

extension ChangeFollowers {
    /// Adds `follower`, and returns the elements from which its first change will begin.
    func add(_ follower: any ChangeFollower) -> Elements {
        state.withLock { state in
            state.entries.append(Entry(follower: follower))
            return state.elements
        }
    }

    /// Gives `changes` to the followers.
    func publish(_ changes: [ElementChange]) {
        guard let elements = changes.last?.after else { return }
        let followers = state.withLock { state in
            state.elements = elements
            return state.all()
        }
        for follower in followers { follower.follow(changes) }
    }

    /// Lets the followers tell their observers.
    func tellObservers() {
        for follower in state.withLock({ $0.all() }) { follower.tellObservers() }
    }
}
