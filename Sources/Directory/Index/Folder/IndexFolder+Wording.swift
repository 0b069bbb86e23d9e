import FileSystem

/// Messages for people about the hidden files of an index, which name the index instead.
extension IndexFolder {
    /// The wording of an error that is about the journal.
    func journalWording(_ reason: String) -> DirectoryError.Wording {
        .init(name: names.index.string, reason: reason)
    }

    /// The wording of the error of a commit that could be neither synced nor rolled back, because of `error`.
    func syncWording(after error: any Error) -> DirectoryError.Wording {
        .init(doubtAfter: error, of: names.index.string)
    }
}
