#if canImport(Combine)
    public import Combine

    extension Directory: ObservableObject {
        /// Emits on the main thread after each change, so that `@StateObject` and `@ObservedObject`
        /// work.
        ///
        /// If a change is made on the main thread, it emits before the change returns, else soon.
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
        /// An edit shows at once in every binding of the item, and is on disk half a second after
        /// the first edit that was not, together with all edits meanwhile: typing does not wait for
        /// the disk. The collection itself, its streams and other observers see it when it is on
        /// disk. Each change of the collection, ``checkpoint()`` and the release of the last
        /// `Directory` value commit what waits first; so does ``commitEdits()``:
        ///
        ///     if let note = notes.binding(for: id, onError: { alert($0) }) {
        ///         TextField("Title", text: note.title)
        ///             .onDisappear { notes.commitEdits() }
        ///     }
        ///
        /// If an edit cannot be saved, bindings show again what is on disk, and `onError` gets the
        /// error. Its code is `itemChanged` if the item was changed after the binding read it: the
        /// other change stays, because saving the edit would undo it.
        ///
        /// - Parameters:
        ///   - id: The id of an item.
        ///   - onError: Called on the main thread with each error.
        /// - Returns: The binding; nil if there is no item.
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

        /// Commits the edits of bindings that wait; their errors go to the bindings' `onError`.
        ///
        /// The edits are on disk when this method returns, unless it is called inside a change.
        public func commitEdits() { core.commitEdits() }

        /// Commits the edits of bindings that wait; their errors go to the bindings' `onError`.
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
