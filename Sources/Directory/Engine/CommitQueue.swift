import Dispatch
import Synchronization

/// A change of a task that waits for the next commit.
struct PendingChange: Sendable {
    let durability: DirectoryOptions.Durability
    let apply: @Sendable (inout ElementDraft) throws -> Void
    /// Tells the task that the change is committed, or gives it the error.
    let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Collects the changes of tasks during a commit, and commits them together, with the syncs of one
/// commit.
final class CommitQueue: Sendable {
    typealias Body = (inout ElementDraft) throws -> Void
    typealias Committer = @Sendable (CommitRequest, Body) throws -> Void

    /// The queue on which asynchronous calls wait for the disk, one after the other.
    let queue = DispatchQueue(label: "Directory.commits")
    private let pending = Mutex<[PendingChange]>([])
    /// Whether each change has its own commit, so that an undo undoes one change.
    private let commitsEach: Bool

    init(commitsEach: Bool) { self.commitsEach = commitsEach }

    /// The number of changes that wait for the next commit.
    var pendingCount: Int { pending.withLock { $0.count } }

    /// Commits the change `body` by a call of `commit`, together with the pending changes of other
    /// tasks.
    func add<Value: Sendable>(
        _ durability: DirectoryOptions.Durability, by commit: @escaping Committer,
        _ body: @escaping @Sendable (inout ElementDraft) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let value = Box<Value>()
            let change = PendingChange(
                durability: durability, apply: { value.set(try body(&$0)) },
                finish: { continuation.resume(with: $0.flatMap(value.get)) })
            pending.withLock { $0.append(change) }
            queue.async { [self] in commitPending(commit) }
        }
    }

    private func commitPending(_ commit: Committer) {
        let changes = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        if commitsEach { commitEach(changes, commit) } else { commitAll(changes, by: commit) }
    }

    /// Commits `changes` on this thread: all together, or, if that fails, each alone, because one
    /// of them may be the cause.
    func commitAll(_ changes: [PendingChange], by commit: Committer) {
        guard changes.count > 1 else { return commitEach(changes, commit) }
        do {
            try commitTogether(changes, commit)
        } catch let error as DirectoryError where [.locked, .inDoubt].contains(error.code) {
            for change in changes { change.finish(.failure(error)) }
        } catch {
            commitEach(changes, commit)
        }
    }

    private func commitEach(_ changes: [PendingChange], _ commit: Committer) {
        for change in changes {
            let request = CommitRequest(durability: change.durability, operation: "change")
            change.finish(Result { try commit(request, change.apply) })
        }
    }

    private func commitTogether(_ changes: [PendingChange], _ commit: Committer) throws {
        let isDurable = changes.contains { $0.durability == .durable }
        let request = CommitRequest(
            durability: isDurable ? .durable : .relaxed, operation: "change",
            changeCount: changes.count)
        var outcomes: [Result<Void, any Error>] = []
        try commit(request) { draft in
            outcomes = changes.map { change in
                let before = draft
                return Result { try change.apply(&draft) }.mapError { error in
                    draft = before
                    return error
                }
            }
        }
        for (change, outcome) in zip(changes, outcomes) { change.finish(outcome) }
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
