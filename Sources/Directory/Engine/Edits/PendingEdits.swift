import Foundation
import Synchronization

/// The edits of bindings that are not committed yet.
///
/// The first edit begins a pause; at its end all edits are committed together. A later edit of the
/// same item replaces the earlier one.
final class PendingEdits: Sendable {
    /// The line of an item on disk from which an edit of the item began.
    ///
    /// Edits of one item that follow each other share it: after the commit of an edit, it has the
    /// committed line, from which the next edit begins.
    final class Base: Sendable {
        private let state: Mutex<ArraySlice<UInt8>>

        init(_ line: ArraySlice<UInt8>) { state = Mutex(line) }

        var line: ArraySlice<UInt8> {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    struct Edit: Sendable {
        /// Has the new value of the item, but not its line yet.
        let element: any IndexElement
        var base: Base
        let durability: DirectoryOptions.Durability
        /// Saves the value in a draft, unless the item has another line than the one given, and returns the new line.
        let save: @Sendable (inout ElementDraft, ArraySlice<UInt8>) throws -> ArraySlice<UInt8>?
        let onError: @Sendable (any Error) -> Void

        var id: ElementID { element.id }
    }

    private struct State: Sendable {
        var waiting: [ElementID: Edit] = [:]
        /// The edits that are being committed.
        var underWay: [ElementID: Edit] = [:]
        /// The thread that commits edits.
        var committer: ObjectIdentifier?
        /// Keeps an app in the background from being suspended during the pause.
        var activity: ExpiringActivity?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Directory.edits")
}

extension PendingEdits {
    /// The newest edit of the item with `id` that is not committed; nil if there is none.
    func edit(of id: ElementID) -> Edit? {
        state.withLock { $0.waiting[id] ?? $0.underWay[id] }
    }

    /// Adds an edit; it begins from the base of the earlier edits of its item, if there are any.
    ///
    /// - Returns: The base of the edit, and whether no other edit waits, so that a pause begins.
    func add(_ edit: Edit) -> (base: Base, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.waiting.isEmpty
            var edit = edit
            let earlier = state.waiting.removeValue(forKey: edit.id) ?? state.underWay[edit.id]
            if let earlier { edit.base = earlier.base }
            state.waiting[edit.id] = edit
            if isFirst { state.activity = ExpiringActivity() }
            return (edit.base, isFirst)
        }
    }

    /// Calls `body` after `pause`.
    func schedule(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated)
            .asyncAfter(deadline: .now() + pause / .seconds(1), execute: body)
    }

    /// Calls `commit` with the pending edits, while no other thread does.
    ///
    /// When this returns, no earlier edit is pending or under way.
    ///
    /// The result of `commit` tells the observers, which run code of the user. It is called when
    /// other threads can continue.
    ///
    /// If this thread is committing edits, or is inside a change or a load, it would wait for
    /// itself: then the edits are committed soon after the call instead.
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
