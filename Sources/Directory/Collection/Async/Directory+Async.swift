import Dispatch
import Foundation

/// Each method here, and in the other files of this folder, does the same as the method of the same
/// name without `async`, but does not block the caller's thread while it waits.
extension Directory {
    /// Applies several changes as one: all of them are committed, or none.
    ///
    /// Changes of several tasks that wait at the same time are committed together, in about the time of one commit, also
    /// if they write into the collections of items; each of them succeeds or fails on its own. Once a commit changes 16
    /// collections, no other change joins it. A change that meets a collection in use is committed after the others.
    ///
    /// `body` can be called again after it returned, with another draft: if its commit has to begin again, or fails, so
    /// that each of its changes is tried alone. The result of the last call is returned.
    ///
    /// - Throws: The error of `body`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout Draft) throws -> Result
    ) async throws -> Result {
        try await core.commits.add(
            durability, by: { [core] changes in core.commitTasks(changes) },
            { base in try Draft.with(&base, body) })
    }

    /// Reads the index if it changed on disk since it was last read.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func load() async throws {
        try await perform { try $0.load() }
    }

    /// Follows the changes of other processes as they happen, until the task is cancelled or the collection is closed.
    ///
    ///     .task { await projects.watch() }
    ///
    /// It loads first. Then it waits for events of the system, and loads after each. All calls for one index in a
    /// process share one set of watched folders. It also follows a folder that does not exist yet, the folder of a
    /// container that is renamed, and an index that is replaced. Every five seconds it checks that the path still
    /// leads to the folder, because the system reports no event if a link in the path was replaced, or a volume
    /// mounted over it.
    ///
    /// If a load fails, ``phase`` has the error. The next load is tried after the next event, or after a second if the
    /// reason can end without an event. A load also fails while the folder is removed or
    /// replaced.
    ///
    /// If the system gives no events, `watch` looks for changes once a second. In a ``MemoryVolume`` no other process
    /// makes changes, so there is nothing to follow.
    ///
    /// - Parameter onError: Called on the main thread with the error of a load, once until a load succeeds or throws
    ///   another error. Also called with the code `unwatchable` if the system gives no events, once until it gives them
    ///   again.
    public func watch(onError: @escaping @Sendable (DirectoryError) -> Void = { _ in }) async {
        await core.watch(onError: onError)
    }
}

extension Directory {
    /// The result of `work`, which runs on the queue of this index; if `behindCommits`, on another
    /// queue, while commits go on.
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
