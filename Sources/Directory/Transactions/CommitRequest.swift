import FileSystem

/// The parameters of a commit besides the draft.
struct CommitRequest: Sendable {
    var durability: DirectoryOptions.Durability
    /// The name of the operation, for error messages.
    var operation: String
    /// The stage whose files the draft may give to items.
    var importing: Import?
    /// The folder in `.staging`, of the caller, that the transaction uses, and that stays if the commit fails.
    var stage: FileName?
    /// How many changes are committed together.
    var changeCount = 1
    /// How the undo history of this process records the commit.
    var recording = Recording.step
    /// Whether the history gets a step that undoes the commit.
    var isUndoable = false

    /// The request for the commits of collections inside the changed one.
    var forChildren: Self {
        var request = self
        request.stage = nil
        return request
    }

    enum Recording: Sendable {
        /// A change that can be undone.
        case step
        case undo, redo
        /// A repair or a migration: it cannot be undone, and the files that it removes are not kept.
        case none
        /// A restore, which cannot be undone.
        case restoring
    }
}
