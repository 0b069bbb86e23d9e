import FileSystem
import Synchronization

/// The followers of an index in this process, and the folders that are watched for all of them.
///
/// Each event asks for a look at the index. There is one look at a time: events during a look ask
/// for one more.
final class Watcher: Sendable {
    fileprivate struct State {
        /// Gives each follower the failures, and ends it.
        var followers: [Int: AsyncStream<DirectoryError>.Continuation] = [:]
        var lastNumber = 0
        /// Whether a look was asked for and has not begun.
        var isLookDue = false
        /// Whether folders may have moved since they were last found.
        var isMoved = true
        var place: WatchedPlace.Key?
        var watches: [FolderWatch] = []
        /// Why the system gives no events, so that the watcher looks for changes by itself; nil if it gives them.
        var failure: DirectoryError?
        /// Why the last look could not load; nil if it could.
        var loadError: DirectoryError?
        /// Asks for another look after a pause.
        var retry: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds a follower, and returns its number.
    func add(_ follower: AsyncStream<DirectoryError>.Continuation) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.followers[state.lastNumber] = follower
            for error in [state.failure, state.loadError] { _ = error.map { follower.yield($0) } }
            return state.lastNumber
        }
    }

    /// Removes a follower; after the last one, nothing is watched.
    func remove(_ number: Int) {
        let old = state.withLock { state in
            state.followers[number] = nil
            return state.followers.isEmpty ? state.stop() : nil
        }
        // Released without the lock.
        withExtendedLifetime(old) {}
    }

    /// Ends all followers.
    func end() {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.finish() }
    }
}

extension Watcher {
    /// Whether the caller must begin a look, because none is due yet; `afterMove` if folders have
    /// moved.
    func isFirstToAsk(afterMove: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.followers.isEmpty else { return false }
            if afterMove { state.isMoved = true }
            defer { state.isLookDue = true }
            return !state.isLookDue
        }
    }

    /// Begins the look that is due; returns whether there are followers, and whether folders have
    /// moved.
    func beginLook() -> (isWanted: Bool, isMoved: Bool) {
        state.withLock { state in
            state.isLookDue = false
            state.retry?.cancel()
            state.retry = nil
            defer { state.isMoved = false }
            return (!state.followers.isEmpty, state.isMoved)
        }
    }

    /// The watched place; nil if nothing is watched.
    var place: WatchedPlace.Key? { state.withLock { $0.place } }

    /// Replaces the watched place by `place`, with `watches`; returns false if there are no
    /// followers, so that nothing is watched.
    func watch(_ place: WatchedPlace.Key, by watches: [FolderWatch]) -> Bool {
        // The watches that are not needed; they are released without the lock.
        var old = watches
        let isWanted = state.withLock { state in
            guard !state.followers.isEmpty else { return false }
            swap(&state.watches, &old)
            (state.place, state.failure) = (place, nil)
            return true
        }
        withExtendedLifetime(old) {}
        return isWanted
    }

    /// Tells the followers once that events are missing.
    func fail(_ failure: DirectoryError) {
        let followers = state.withLock { state in
            let isKnown = state.failure != nil
            state.failure = failure
            return isKnown ? [] : Array(state.followers.values)
        }
        for follower in followers { follower.yield(failure) }
    }

    /// Tells the followers once that a look could not load, until a look can; `error` is nil if it
    /// could.
    func didLoad(_ error: DirectoryError?) {
        let followers = state.withLock { state in
            defer { state.loadError = error }
            let isKnown = error == nil || state.loadError?.message == error?.message
            return isKnown ? [] : Array(state.followers.values)
        }
        if let error { for follower in followers { follower.yield(error) } }
    }

    /// Calls `ask` after a pause, unless a look begins earlier; if `findingPlace`, the next look finds the place
    /// again.
    func retry(
        after pause: Duration, findingPlace: Bool, _ ask: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard !state.followers.isEmpty else { return }
            if findingPlace { state.isMoved = true }
            state.retry?.cancel()
            state.retry = Task {
                // A cancelled pause does nothing.
                guard (try? await Task.sleep(for: pause)) != nil else { return }
                ask()
            }
        }
    }
}

extension Watcher.State {
    /// Stops watching; returns the old watches.
    fileprivate mutating func stop() -> [FolderWatch] {
        retry?.cancel()
        defer {
            (place, watches, failure, loadError) = (nil, [], nil, nil)
            (retry, isMoved) = (nil, true)
        }
        return watches
    }
}
