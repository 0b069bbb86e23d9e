extension Directory {
    /// Ends a conflict between the index and its journal by choosing a side.
    ///
    /// A conflict arises if another program changes an index while a journal beside it holds newer
    /// changes. Each call then throws an error with the code `indexConflict`, and nothing is read
    /// or written, until the index is restored or this method is called. Without a conflict, this
    /// method only loads.
    ///
    /// Before anything changes, copies of both files are synced in the folder `projects.recovered`
    /// beside an index `projects.json`. A crash leaves the conflict, or ends it as asked. With
    /// `.index` this also ends what `journalDamaged` reports.
    ///
    /// - Throws: ``DirectoryError``; with `.journal` its code is `journalDamaged` or `undecodable`
    ///   if the journal cannot be read. The conflict then stays.
    public func resolveConflict(keeping side: ConflictSide) throws {
        try core.resolveConflict(keeping: side)
    }
}
