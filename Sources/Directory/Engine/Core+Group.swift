import Dispatch
import Synchronization

/// A change that waits for its commit, with those of other tasks.
struct WaitingChange<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    let durability: DirectoryOptions.Durability
    let apply: @Sendable (inout Directory<Item>.Draft) throws -> Void
    /// Tells the caller that the change is committed, or why not.
    let finish: @Sendable (Result<Void, any Error>) -> Void
}

extension Core {
    /// Commits what `body` does, in one commit with the changes of other tasks that wait by then,
    /// so that they share the syncs.
    func commitSoon<Value: Sendable>(
        _ durability: DirectoryOptions.Durability,
        _ body: @escaping @Sendable (inout Directory<Item>.Draft) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let value = Box<Value>()
            let change = WaitingChange<Item>(
                durability: durability, apply: { value.set(try body(&$0)) },
                finish: { continuation.resume(with: $0.flatMap(value.get)) })
            state.withLock { $0.waiting.append(change) }
            queue.async { [self] in commitWaiting() }
        }
    }

    /// Commits the changes that wait: all in one, or, where that fails, each alone, because one of
    /// them may be the reason.
    private func commitWaiting() {
        let changes = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        guard changes.count > 1 else { return changes.forEach(commitAlone) }
        do {
            try commitTogether(changes)
        } catch let error as DirectoryError where [.locked, .inDoubt].contains(error.code) {
            changes.forEach { $0.finish(.failure(error)) }
        } catch {
            changes.forEach(commitAlone)
        }
    }

    private func commitAlone(_ change: WaitingChange<Item>) {
        let request = CommitRequest(durability: change.durability, operation: "change")
        change.finish(Result { try commit(request, change.apply) })
    }

    private func commitTogether(_ changes: [WaitingChange<Item>]) throws {
        let isDurable = changes.contains { $0.durability == .durable }
        let request = CommitRequest(
            durability: isDurable ? .durable : .relaxed, operation: "change")
        let outcomes = try commit(request) { draft in
            changes.map { change in
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

/// A value that one thread leaves for another.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() -> Result<Value, any Error> {
        value.withLock { value in
            value.map { .success($0) } ?? .failure(CancellationError())
        }
    }
}
