import FileSystem
import Synchronization

/// Who follows an index in this process, and what is watched for all of them together.
///
/// An event asks for a look at the index. There is one look at a time: events during a look ask for
/// one more.
final class Watcher: Sendable {
    fileprivate struct State {
        /// Tells each follower of a failure, and ends it.
        var followers: [Int: AsyncStream<DirectoryError>.Continuation] = [:]
        var lastNumber = 0
        /// Whether a look was asked for and has not begun.
        var isLookDue = false
        /// Whether folders may be elsewhere than they were when they were last found.
        var isMoved = true
        var place: WatchedPlace.Key?
        var watches: [FolderWatch] = []
        /// Why changes are looked for without events, if they are.
        var failure: DirectoryError?
        /// Why the last look could not load, if it could not.
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

    /// Removes a follower; when the last one is gone, nothing is watched any longer.
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
    /// Whether a look has to be begun, because none is due yet; `afterMove` if folders have moved.
    func isFirstToAsk(afterMove: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.followers.isEmpty else { return false }
            if afterMove { state.isMoved = true }
            defer { state.isLookDue = true }
            return !state.isLookDue
        }
    }

    /// Begins the look that is due; returns whether anyone follows, and whether folders have moved.
    func beginLook() -> (isWanted: Bool, isMoved: Bool) {
        state.withLock { state in
            state.isLookDue = false
            state.retry?.cancel()
            state.retry = nil
            defer { state.isMoved = false }
            return (!state.followers.isEmpty, state.isMoved)
        }
    }

    /// What is watched.
    var place: WatchedPlace.Key? { state.withLock { $0.place } }

    /// Watches `place` from now on, by `watches`, and nothing else; returns false if nobody follows
    /// any longer, so that nothing is watched.
    func watch(_ place: WatchedPlace.Key, by watches: [FolderWatch]) -> Bool {
        // The watches that are no longer wanted, which are released without the lock.
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

    /// Tells the followers once that there are no events, or not all of them.
    func fail(_ failure: DirectoryError) {
        let followers = state.withLock { state in
            let isKnown = state.failure != nil
            state.failure = failure
            return isKnown ? [] : Array(state.followers.values)
        }
        for follower in followers { follower.yield(failure) }
    }

    /// Tells the followers that a look could not load, once until one can; nil if it could.
    func didLoad(_ error: DirectoryError?) {
        let followers = state.withLock { state in
            defer { state.loadError = error }
            let isKnown = error == nil || state.loadError?.message == error?.message
            return isKnown ? [] : Array(state.followers.values)
        }
        if let error { for follower in followers { follower.yield(error) } }
    }

    /// Calls `ask` after a pause, unless a look begins before that; the next look finds the place again if
    /// `findingPlace`.
    func retry(
        after pause: Duration, findingPlace: Bool, _ ask: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard !state.followers.isEmpty else { return }
            if findingPlace { state.isMoved = true }
            state.retry?.cancel()
            state.retry = Task {
                // It is cancelled only if it is to do nothing.
                guard (try? await Task.sleep(for: pause)) != nil else { return }
                ask()
            }
        }
    }
}

extension Watcher.State {
    /// Watches nothing; returns what was watched.
    fileprivate mutating func stop() -> [FolderWatch] {
        retry?.cancel()
        defer {
            (place, watches, failure, loadError) = (nil, [], nil, nil)
            (retry, isMoved) = (nil, true)
        }
        return watches
    }
}
