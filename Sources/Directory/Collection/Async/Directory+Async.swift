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
        try await core.commits.commit(
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
    /// Looks at the index several times a second; a look that finds nothing new reads no items.
    /// If a load fails, ``phase`` says so, and the next look tries again.
    ///
    /// - Parameter interval: The time between two looks.
    public func watch(every interval: Duration = .milliseconds(200)) async {
        while !Task.isCancelled, !core.isClosed {
            // The phase tells observers what failed.
            try? await load()
            try? await Task.sleep(for: interval)
        }
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
