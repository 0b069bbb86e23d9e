import Dispatch
import Foundation

/// Each method here, and in the other files with `async` methods, does what the one of the same
/// name without `async` does, but does not block the caller's thread while it waits.
extension Directory {
    /// Applies several changes as one: all of them are committed, or none.
    ///
    /// Changes of several tasks that wait at the same time are committed together, so that they
    /// share the time that the disk takes; each of them succeeds or fails on its own. If the
    /// common commit fails, each is tried alone: `body` is then called a second time, with another
    /// draft.
    ///
    /// - Throws: What ``write(_:)`` throws.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout Draft) throws -> Result
    ) async throws -> Result {
        try await core.commits.add(
            durability, by: { [core] request, body in try core.commit(request, body) }, body)
    }

    /// Reads the index if it changed on disk since it was last read.
    ///
    /// - Throws: What ``load()`` throws.
    public func load() async throws {
        try await perform { try $0.load() }
    }

    /// Picks up the changes of other processes as they happen, until the task is cancelled or the
    /// collection is closed.
    ///
    ///     .task { await projects.watch() }
    ///
    /// It loads first. Then it waits for events of the system. All calls for one index in a process share
    /// what they need. It also follows a folder that does not exist yet, the folder of a container that is
    /// renamed, and an index that is replaced. Every five seconds it looks whether the path still leads to
    /// the folder, because no event tells that a link in it was replaced, or a volume mounted over it.
    ///
    /// If a load fails, ``phase`` says so, and the next load tries again: after the next event, or
    /// after a second if the reason can end without one. That the folder was removed or replaced is
    /// such a failure too, until the folder is back.
    ///
    /// If the system has no events to give, changes are looked for once a second. In a
    /// ``MemoryVolume`` no other process makes changes, so there is nothing to follow.
    ///
    /// - Parameter onError: Called on the main thread with what a load threw, once until one succeeds or
    ///   throws something else; and with a ``DirectoryError`` with `unwatchable` if the system has no events
    ///   to give, once until it has them again.
    public func watch(onError: @escaping @Sendable (DirectoryError) -> Void = { _ in }) async {
        await core.watch(onError: onError)
    }
}

extension Directory {
    /// The result of `work`, which runs on the queue of this index, or, if `behindCommits`, on
    /// another queue, so that commits can go on meanwhile.
    func perform<Result: Sendable>(
        behindCommits: Bool = false, _ work: @escaping @Sendable (Directory) throws -> Result
    ) async throws -> Result {
        let queue = behindCommits ? DispatchQueue.global() : core.commits.queue
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Swift.Result { try work(self) })
            }
        }
    }
}
