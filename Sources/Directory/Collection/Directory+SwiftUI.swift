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
        /// A binding to the item with `id` that saves every change; nil if there is no item.
        ///
        /// A change that cannot be saved is handed to `onError`, and the binding keeps the value
        /// that is on disk.
        public func binding(
            for id: Item.ID, onError: @escaping @Sendable (any Error) -> Void = { _ in }
        ) -> Binding<Item>? {
            guard let current = self[id: id] else { return nil }
            return Binding {
                self[id: id] ?? current
            } set: { item in
                do { try self.update(item) } catch { onError(error) }
            }
        }
    }
#endif
