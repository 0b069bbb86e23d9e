import FileSystem

/// What a commit needs besides the draft.
struct CommitRequest: Sendable {
    var durability: DirectoryOptions.Durability
    /// What is being done, for messages.
    var operation: String
    /// The stage whose files the draft may give to items.
    var importing: Import?
    /// How many changes are committed together.
    var changeCount = 1
    /// What the commit is for the undo history of this process.
    var recording = Recording.step

    /// What the commits of the collections need that items of the changed one hold.
    var forChildren: Self {
        var request = self
        request.importing?.isAtHome = false
        return request
    }

    enum Recording: Sendable {
        /// A change that can be undone.
        case step
        case undo, redo
        /// A repair or a migration, which is not undone, and which keeps nothing that it removes.
        case none
        /// A restoring, which is not undone.
        case restoring
    }
}
