import Dispatch
import FileSystem
import Foundation
import Synchronization

/// The session of a replica, which one thread uses at a time.
final class SessionHolder: Sendable {
    private let session: Mutex<Session?>
    private let isFree = DispatchSemaphore(value: 1)
    private let owner = Mutex<ObjectIdentifier?>(nil)

    init(_ session: Session) { self.session = Mutex(session) }

    /// Calls `body` with the session, after all calls of other threads.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before that; ``ReplicaError`` with `busy` on a thread that
    ///   uses the session already, as code of an item can that is called by a sync, and `left` after ``leave()``.
    func use<Result>(
        _ url: URL, until cancellation: Cancellation = Cancellation(),
        _ body: (inout Session) throws -> Result
    ) throws -> Result {
        let thread = ObjectIdentifier(Thread.current)
        guard owner.withLock({ $0 }) != thread else {
            throw ReplicaError(.busy, url, "it was called by code that a sync calls")
        }
        isFree.wait()
        owner.withLock { $0 = thread }
        defer {
            owner.withLock { $0 = nil }
            isFree.signal()
        }
        try cancellation.check()
        // Taken out, so that nothing of it has to be copied when it changes.
        guard var used = session.withLock({ $0.take() }) else {
            throw ReplicaError(.left, url, "the replica was left")
        }
        defer { if !used.hasLeft { session.withLock { $0 = used } } }
        used.cancellation = cancellation
        return try body(&used)
    }
}
