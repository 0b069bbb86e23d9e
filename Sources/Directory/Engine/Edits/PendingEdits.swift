import Foundation
import Synchronization

/// The edits of items by bindings that are not committed yet.
///
/// The first edit begins a pause, at the end of which all edits are committed together. A later edit
/// of the same item takes the place of the earlier one.
final class PendingEdits<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
    /// The line of an item on disk that an edit of it began from.
    ///
    /// Edits of one item that follow each other share it: when one is committed, the next one begins
    /// from what that one wrote.
    final class Base: Sendable {
        private let state: Mutex<ArraySlice<UInt8>>

        init(_ line: ArraySlice<UInt8>) { state = Mutex(line) }

        var line: ArraySlice<UInt8> {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    struct Edit: Sendable {
        var item: Item
        let base: Base
        let durability: DirectoryOptions.Durability
        let onError: @Sendable (any Error) -> Void
    }

    private struct State: Sendable {
        var waiting: [Item.ID: Edit] = [:]
        /// The edits that are being committed.
        var underWay: [Item.ID: Edit] = [:]
        /// The thread that commits edits.
        var committer: ObjectIdentifier?
        /// So that an app in the background is not suspended during the pause.
        var activity: ExpiringActivity?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Directory.edits")
}

extension PendingEdits {
    /// The newest edit of the item with `id` that is not committed; nil if there is none.
    func edit(of id: Item.ID) -> Edit? {
        state.withLock { $0.waiting[id] ?? $0.underWay[id] }
    }

    /// Adds an edit, which begins from what earlier edits of its item began from, if there are any.
    ///
    /// - Returns: What it begins from, and whether it is the first one that waits, so that a pause
    ///   begins.
    func add(_ edit: Edit) -> (base: Base, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.waiting.isEmpty
            let id = edit.item.id
            let base = state.waiting[id]?.base ?? state.underWay[id]?.base ?? edit.base
            state.waiting[id] = Edit(
                item: edit.item, base: base, durability: edit.durability, onError: edit.onError)
            if isFirst { state.activity = ExpiringActivity() }
            return (base, isFirst)
        }
    }

    /// Calls `body` after `pause`.
    func schedule(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated)
            .asyncAfter(deadline: .now() + pause / .seconds(1), execute: body)
    }

    /// Calls `commit` with the edits that wait, while no other thread does; when this returns, no
    /// edit that was made before waits or is under way.
    ///
    /// What `commit` returns is called when other threads can go on: it tells observers, which run
    /// code of the user.
    ///
    /// If this thread commits edits already, or is inside a change or a load, the edits are committed
    /// soon instead, because it would wait for itself.
    func flush(_ commit: @escaping @Sendable ([Edit]) -> @Sendable () -> Void) {
        let (isDone, committer) = state.withLock {
            ($0.waiting.isEmpty && $0.committer == nil, $0.committer)
        }
        if isDone { return }
        if committer == ObjectIdentifier(Thread.current) || WriteScope.current != nil {
            queue.async {
                if let tell = self.commitWaiting(commit) {
                    DispatchQueue.global(qos: .userInitiated).async(execute: tell)
                }
            }
        } else {
            queue.sync { commitWaiting(commit) }?()
        }
    }

    private func commitWaiting(
        _ commit: ([Edit]) -> @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
        let (edits, activity) = state.withLock { state in
            defer {
                (state.underWay, state.waiting) = (state.waiting, [:])
                state.committer = ObjectIdentifier(Thread.current)
                state.activity = nil
            }
            return (Array(state.waiting.values), state.activity)
        }
        let tell = withExtendedLifetime(activity) { edits.isEmpty ? nil : commit(edits) }
        state.withLock { ($0.underWay, $0.committer) = ([:], nil) }
        return tell
    }
}
