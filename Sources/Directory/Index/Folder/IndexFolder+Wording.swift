import FileSystem

/// What people are told of the hidden files of an index: they know the index.
extension IndexFolder {
    /// The wording of an error that is about the journal.
    func journalWording(_ reason: String) -> DirectoryError.Wording {
        .init(name: names.index.string, reason: reason)
    }

    /// The wording of the error of a commit that could be neither synced nor undone, because of `error`.
    func syncWording(after error: any Error) -> DirectoryError.Wording {
        .init(doubtAfter: error, of: names.index.string)
    }
}
