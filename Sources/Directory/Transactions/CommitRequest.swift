import FileSystem

/// The parameters of a commit besides the draft.
///
/// A class, so that handing it on costs one reference.
final class CommitRequest: Sendable {
    let durability: DirectoryOptions.Durability
    /// The name of the operation, for error messages.
    let operation: String
    /// The stage whose files the draft may give to items.
    let importing: Import?
    /// The folder in `.staging`, of the caller, that the transaction uses, and that stays if the commit fails.
    let stage: FileName?
    /// How the undo history of this process records the commit.
    let recording: Recording
    /// Whether the history gets a step that undoes the commit.
    let isUndoable: Bool

    enum Recording: Sendable {
        /// A change that can be undone.
        case step
        case undo, redo
        /// A repair or a migration: it cannot be undone, and the files that it removes are not kept.
        case none
        /// A restore, which cannot be undone.
        case restoring
    }

    init(
        durability: DirectoryOptions.Durability, operation: String, importing: Import? = nil,
        stage: FileName? = nil, recording: Recording = .step,
        isUndoable: Bool = false
    ) {
        (self.durability, self.operation) = (durability, operation)
        (self.importing, self.stage) = (importing, stage)
        (self.recording, self.isUndoable) = (recording, isUndoable)
    }
}

extension CommitRequest {
    /// The request for the commits of collections inside the changed one.
    var forChildren: CommitRequest {
        stage == nil ? self : with(stage: nil, isUndoable: isUndoable)
    }

    /// The request with a step in the undo history, unless its kind has none.
    var withStep: CommitRequest {
        [.none, .restoring].contains(recording) ? self : with(stage: stage, isUndoable: true)
    }

    private func with(stage: FileName?, isUndoable: Bool) -> CommitRequest {
        CommitRequest(
            durability: durability, operation: operation, importing: importing, stage: stage,
            recording: recording, isUndoable: isUndoable)
    }
}
