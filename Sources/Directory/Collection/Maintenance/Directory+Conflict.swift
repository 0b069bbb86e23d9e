extension Directory {
    /// Ends a conflict between the index and its journal by choosing a side.
    ///
    /// A conflict arises if another program changes an index while its journal holds newer changes.
    /// Each call then throws an error with the code `indexConflict`, and reads and writes nothing,
    /// until the index is restored or this method is called. Without a conflict, this method only
    /// loads.
    ///
    /// First, copies of both files are made and synced in the folder `projects.recovered` beside an
    /// index `projects.json`. After a crash, the conflict either still exists or has ended as
    /// asked. With `.index`, this method also resolves the error `journalDamaged`.
    ///
    /// - Throws: ``DirectoryError`` with `journalDamaged` or `undecodable` if `side` is `.journal` and the journal
    ///   cannot be read, `noSpace`, and the [codes of every load](doc:Errors#Codes-of-every-load). The conflict then
    ///   stays.
    public func resolveConflict(keeping side: ConflictSide) throws {
        try core.resolveConflict(keeping: side)
    }
}
