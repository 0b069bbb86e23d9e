#if canImport(Darwin)
    public import Foundation

    extension Directory {
        /// Lets the Undo command of an app undo the newest change; call it after each change.
        ///
        ///     @Environment(\.undoManager) private var undoManager
        ///     …
        ///     try projects.remove(id: project.id)
        ///     undoManager.map { projects.registerUndo(with: $0) }
        ///
        /// Undo calls `undo()`, and Redo calls `redo()`. The manager keeps the collection open
        /// until its actions are removed.
        ///
        /// - Parameters:
        ///   - manager: The undo manager of a window or a document.
        ///   - onError: Called with the error of an undo or a redo, such as `undoConflict`.
        @MainActor public func registerUndo(
            with manager: UndoManager, onError: @escaping @MainActor (any Error) -> Void = { _ in }
        ) {
            register(with: manager, isRedo: false, onError)
        }

        @MainActor private func register(
            with manager: UndoManager, isRedo: Bool,
            _ onError: @escaping @MainActor (any Error) -> Void
        ) {
            // The manager does not retain the target, so the closure does
            // (UndoManager.registerUndo(withTarget:handler:)).
            manager.registerUndo(withTarget: self) { [self] _ in
                do {
                    guard try isRedo ? redo() != nil : undo() != nil else { return }
                    // During an undo, the manager registers a redo, and the reverse.
                    register(with: manager, isRedo: !isRedo, onError)
                } catch {
                    onError(error)
                }
            }
        }
    }
#endif
