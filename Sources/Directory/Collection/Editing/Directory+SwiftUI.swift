#if canImport(Combine)
    public import Combine

    extension Directory: ObservableObject {
        /// Emits on the main thread after each change, so that `@StateObject` and `@ObservedObject`
        /// work.
        ///
        /// After a change that is made on the main thread, it emits before the change returns;
        /// otherwise soon after.
        public var objectWillChange: ObservableObjectPublisher {
            core.broadcaster.announcer.objectWillChange
        }
    }
#endif

#if canImport(SwiftUI)
    public import SwiftUI

    extension Directory {
        /// A binding to the item with `id` that saves edits.
        ///
        /// An edit shows at once in every binding of the item. All edits of half a second are
        /// committed together, so typing does not wait for the disk. The collection itself, its
        /// streams and other observers see an edit when it is on disk. Pending edits are committed
        /// before each change of the collection, by ``checkpoint()-9qgm1``, by ``commitEdits()``,
        /// and when the last `Directory` value is released:
        ///
        ///     if let note = notes.binding(for: id, onError: { alert($0) }) {
        ///         TextField("Title", text: note.title)
        ///             .onDisappear { notes.commitEdits() }
        ///     }
        ///
        /// If an edit cannot be saved, bindings show the value on disk again, and `onError` gets
        /// the error. Its code is `itemChanged` if the item was changed after the binding read it:
        /// the other change stays, because saving the edit would overwrite it.
        ///
        /// - Parameters:
        ///   - id: The id of an item.
        ///   - onError: Called on the main thread with each error.
        /// - Returns: The binding; nil if there is no such item.
        public func binding(
            for id: Item.ID, onError: @escaping @Sendable (any Error) -> Void = { _ in }
        ) -> Binding<Item>? {
            guard let editor = ItemEditor(id, of: self, onError: onError) else { return nil }
            return Binding {
                editor.value
            } set: { item in
                editor.value = item
            }
        }

        /// Commits pending edits of bindings; their errors are given to the bindings' `onError`.
        ///
        /// The edits are on disk when this method returns, unless it is called inside a change.
        public func commitEdits() { core.commitEdits() }

        /// Commits pending edits of bindings; their errors are given to the bindings' `onError`.
        ///
        /// The edits are on disk when this method returns.
        public func commitEdits() async {
            await withCheckedContinuation { continuation in
                core.commits.queue.async { [core] in
                    core.commitEdits()
                    continuation.resume()
                }
            }
        }
    }
#endif
