import FileSystem

/// What people are told of the hidden files of an index: they know the index.
extension IndexFolder {
    /// The wording of an error that is about the journal.
    func journalWording(_ reason: String) -> DirectoryError.Wording {
        .init(name: names.index.string, reason: reason)
    }

    /// The wording of an error of a commit that was not synced, and could not be undone.
    var syncWording: DirectoryError.Wording {
        .init(
            operation: "save a change of", name: names.index.string,
            reason: "the drive failed, and it is not known whether the change is on it")
    }
}
