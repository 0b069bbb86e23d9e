import FileSystem
import Synchronization

/// The steps of one collection in this process that can be undone and redone.
///
/// It is changed only while the writer of the core is locked, and read at any time.
final class UndoHistory: Sendable {
    typealias Step = UndoStep

    private struct State: Sendable {
        /// The newest step comes last.
        var undo: [Step] = []
        /// The steps of undos, the newest last.
        var redo: [Step] = []
        /// The folder in the trash with the files that the steps removed, after it was made.
        var folder: FileName?
        /// The values that observers were last told.
        var told = (canUndo: false, canRedo: false)
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var isOn: Bool { limit > 0 }
    var canUndo: Bool { counts.undo > 0 }
    var canRedo: Bool { counts.redo > 0 }
    /// How many steps can be undone and redone.
    var counts: (undo: Int, redo: Int) { state.withLock { ($0.undo.count, $0.redo.count) } }

    /// The step that an undo or a redo inverts.
    func step(to recording: CommitRequest.Recording) -> Step? {
        state.withLock { recording == .redo ? $0.redo.last : $0.undo.last }
    }
}

extension UndoHistory {
    /// The folder of this process in the trash; becomes `newName` if there is none.
    func folder(orNew newName: FileName) -> FileName {
        state.withLock { state in
            let name = state.folder ?? newName
            state.folder = name
            return name
        }
    }

    /// Records a commit; `step` is nil if the change cannot be undone, because its files could not
    /// be kept.
    ///
    /// - Returns: The trash folders that no step needs any more.
    func record(_ step: Step?, as recording: CommitRequest.Recording) -> [FolderPath] {
        state.withLock { state in
            var released: [Step] = []
            // An undo is empty if others have already undone the same change.
            let isEmpty = step?.isEmpty == true
            switch recording {
            case .none, .restoring: return []
            case .step:
                if isEmpty { return [] }
                released = state.redo
                state.redo = []
                released += state.undo.push(step, limit: limit)
            case .undo:
                if let undone = state.undo.popLast() { released.append(undone) }
                if !isEmpty { released += state.redo.push(step, limit: limit) }
            case .redo:
                if let redone = state.redo.popLast() { released.append(redone) }
                if !isEmpty { released += state.undo.push(step, limit: limit) }
            }
            return released.compactMap(\.files.trash)
        }
    }

    /// Forgets all steps.
    ///
    /// - Returns: The folder in the trash, which no step needs any more.
    func clear() -> FileName? {
        state.withLock { state in
            (state.undo, state.redo) = ([], [])
            defer { state.folder = nil }
            return state.folder
        }
    }

    /// The properties that have changed since the last call.
    func takeEvents() -> [any KeyPath<Observers, Void> & Sendable] {
        state.withLock { state in
            let (canUndo, canRedo) = (!state.undo.isEmpty, !state.redo.isEmpty)
            if state.told == (canUndo, canRedo) { return [] }
            defer { state.told = (canUndo, canRedo) }
            return (state.told.canUndo == canUndo ? [] : [\.canUndo])
                + (state.told.canRedo == canRedo ? [] : [\.canRedo])
        }
    }
}

extension [UndoStep] {
    /// Adds a step, and removes the oldest ones beyond `limit`; nil removes all earlier steps,
    /// which cannot be undone any more.
    ///
    /// - Returns: The removed steps.
    fileprivate mutating func push(_ step: UndoStep?, limit: Int) -> [UndoStep] {
        guard let step else {
            defer { self = [] }
            return self
        }
        append(step)
        let gone = Array(prefix(Swift.max(0, count - limit)))
        removeFirst(gone.count)
        return gone
    }
}
