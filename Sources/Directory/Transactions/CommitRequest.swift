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
    /// The removed folders and files that come back with the commit.
    var restoring: KeptFiles?
    /// What is in the folders that come back.
    var restoredContents: [FileName: FolderDigest] = [:]
    /// What must be in the folders that the commit removes; nil if that may be anything.
    var expectedContents: [FileName: FolderDigest]?

    enum Recording: Sendable {
        /// A change that can be undone.
        case step
        case undo, redo
        /// A repair or a migration, which is not undone.
        case none
    }
}

/// A stage whose files are on their way in.
struct Import: Sendable {
    /// Is given the name of a staged file.
    typealias Step = @Sendable (FileName) throws -> Void

    /// The folder in `.staging` that holds the files.
    var stage: FileName
    /// Called after each file is on stable storage, to report and to cancel.
    var step: Step
}
