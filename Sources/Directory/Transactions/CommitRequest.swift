import FileSystem

/// What a commit needs besides the draft.
struct CommitRequest: Sendable {
    var durability: DirectoryOptions.Durability
    /// What is being done, for messages.
    var operation: String
    /// The staged files that the commit imports.
    var importing: Import?
    /// How many changes are committed together.
    var changeCount = 1
}

/// Staged files on their way in.
struct Import: Sendable {
    /// The folder in `.staging` that holds the files.
    var stage: FileName
    var files: [Intent.Import]
    /// Called before each file, to report and to cancel.
    var step: @Sendable () throws -> Void
}
