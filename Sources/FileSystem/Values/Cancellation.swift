import Synchronization

/// Tells work on another thread whether its task is cancelled.
package final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    package init() {}

    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` if the task is cancelled.
    package func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
