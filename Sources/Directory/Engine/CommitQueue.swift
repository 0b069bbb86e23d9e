import Dispatch
import Synchronization

/// A change of a task that waits for the next commit.
struct PendingChange: Sendable {
    let durability: DirectoryOptions.Durability
    /// May be called again; the last call counts.
    let apply: @Sendable (inout ElementDraft) throws -> Void
    /// Tells the task that the change is committed, or gives it the error.
    let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Collects the changes of tasks during a commit, so that the next one can commit them together.
final class CommitQueue: Sendable {
    /// The queue on which asynchronous calls wait for the disk, one after the other.
    let queue = DispatchQueue(label: "Directory.commits")
    private let pending = Mutex<[PendingChange]>([])

    /// The number of changes that wait for the next commit.
    var pendingCount: Int { pending.withLock { $0.count } }

    /// Commits the change `body` by a call of `commit`, which is given all changes that wait by then.
    func add<Value: Sendable>(
        _ durability: DirectoryOptions.Durability,
        by commit: @escaping @Sendable ([PendingChange]) -> Void,
        _ body: @escaping @Sendable (inout ElementDraft) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let value = Box<Value>()
            let change = PendingChange(
                durability: durability, apply: { value.set(try body(&$0)) },
                finish: { continuation.resume(with: $0.flatMap(value.get)) })
            pending.withLock { $0.append(change) }
            queue.async { [self] in
                let changes = takePending()
                if !changes.isEmpty { commit(changes) }
            }
        }
    }

    private func takePending() -> [PendingChange] {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

/// A value that one thread passes to another.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() -> Result<Value, any Error> {
        value.withLock { value in
            value.map { .success($0) } ?? .failure(CancellationError())
        }
    }
}
