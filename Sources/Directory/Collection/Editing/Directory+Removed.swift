extension Directory {
    /// The items that were removed or replaced recently; the newest removal is first.
    ///
    /// With ``DirectoryOptions/keepsRemoved``, removed items and replaced files are kept for that long, whichever
    /// process made the change, and also after that process has ended:
    ///
    ///     let options = DirectoryOptions(keepsRemoved: .days(30))
    ///     let projects = try Directory<Project>(at: folder, index: "projects.json", options: options)
    ///     try projects.remove(id: project.id)
    ///     …
    ///     let removed = try projects.recentlyRemoved()
    ///     try projects.bring(back: [removed[0].id])      // with its folder and everything in it
    ///
    /// Behaviour:
    /// - A removed container keeps the items of its collections, and the items that were removed there recently. They
    ///   come back with the container; until then its collections do not list them.
    /// - An item that is in the collection again is not listed, unless its removed folder or file is still kept, or it
    ///   was replaced and has another value now.
    /// - Transferred items are not removed items. On a full volume, removals keep nothing.
    /// - Expired items are not listed. The next process that changes the collection deletes them. The clock of the
    ///   system decides.
    ///
    /// - Returns: The items that can be decoded.
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func recentlyRemoved() throws -> [RemovedItem] {
        try core.recentlyRemoved().map(RemovedItem.init)
    }

    /// Brings removed items back, each to its old position, with its folder and everything in it, or with its file.
    ///
    /// An item whose file or folder was replaced gets it back, with its old value, in exchange for the present ones.
    /// These are kept in turn by ``DirectoryOptions/keepsRemoved``. Collections in a folder that is exchanged throw
    /// `containerRemoved`: open them again from this one.
    ///
    /// This is one commit: on disk when the method returns, all or nothing in a crash. `undo()` undoes it, unless it
    /// exchanged folders, or files of the same name: then bring back the other version instead. If another item has
    /// taken the name of a removed item, `change` can give the removed item another name:
    ///
    ///     try projects.bring(back: [id]) { $0.title += " (restored)" }
    ///
    /// The ids are those that `recentlyRemoved()` gave. The id of an item must stay the same.
    ///
    /// - Returns: The items as they are in the collection now.
    /// - Throws: The error of `change`, or ``DirectoryError`` with `itemNotFound` if an item was brought back or
    ///   removed for good meanwhile, or a part of it is kept with a newer version, `duplicateID`, also for two versions
    ///   of one item, `nameTaken`, also if the present version of an item would not be kept, and the
    ///   [codes of every change](doc:Errors#Codes-of-every-change). Then nothing changes.
    @discardableResult
    public func bring(
        back ids: some Sequence<RemovedItemID>, _ change: ((inout Item) throws -> Void)? = nil
    ) throws -> [Item] {
        try core.bringBack(Array(ids), coding.changing("bring back items of", change))
            .map { ItemElement<Item>.of($0).item }
    }

    /// Removes recently removed items for good, and frees their space.
    ///
    /// When this method returns, none of these items can be brought back. If it throws, or the process dies first,
    /// some of them may be gone. Changes whose undo needs them cannot be undone any more. Unknown ids are ignored.
    ///
    /// - Parameter ids: The ids that `recentlyRemoved()` gave the removed items.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func removeForGood(_ ids: some Sequence<RemovedItemID>) throws {
        try core.removeForGood(Array(ids))
    }
}
