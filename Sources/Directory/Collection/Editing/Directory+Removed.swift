extension Directory {
    /// The items that were removed recently, and those whose files were replaced; the newest removal comes first.
    ///
    /// With ``DirectoryOptions/keepsRemoved``, what a change removes stays for that long, whichever process made
    /// the change, and after the process has ended:
    ///
    ///     let options = DirectoryOptions(keepsRemoved: .days(30))
    ///     let projects = try Directory<Project>(at: folder, index: "projects.json", options: options)
    ///     try projects.remove(id: project.id)
    ///     …
    ///     let removed = try projects.recentlyRemoved()
    ///     try projects.bring(back: [removed[0].id])      // with its folder and everything in it
    ///
    /// Behaviour:
    /// - What a collection of a removed container had, and what was removed there recently, comes back with the
    ///   container. Only then it is listed by that collection.
    /// - An item that is in the collection again is left out, unless its folder or its file is still here.
    /// - Items that left by a transfer were not removed. On a full volume, removals keep nothing.
    /// - What has expired is left out, and deleted by the next process that changes the collection. The
    ///   clock of the system decides.
    ///
    /// - Returns: The items that can be decoded.
    /// - Throws: What `load()` throws.
    public func recentlyRemoved() throws -> [RemovedItem] { try core.recentlyRemoved() }

    /// Brings removed items back, each to the position that it had, with its folder and everything in it, or with its
    /// file; an item whose file was replaced gets its old file and is as it was then.
    ///
    /// It is one commit: on disk when it returns, all or nothing in a crash, and it can be undone. If a name
    /// that an item needs is taken by now, `change` can give it another one:
    ///
    ///     try projects.bring(back: [id]) { $0.title += " (restored)" }
    ///
    /// The ids are those that `recentlyRemoved()` gave. The id of an item must stay the same.
    ///
    /// - Returns: The items as they are in the collection now.
    /// - Throws: ``DirectoryError`` with `itemNotFound` if something was brought back or removed for good
    ///   meanwhile, `duplicateID`, `nameTaken`, `undoConflict` if files are missing; and what `write(_:)` throws. Then
    ///   nothing changes.
    @discardableResult
    public func bring(
        back ids: some Sequence<RemovedItemID>, _ change: ((inout Item) throws -> Void)? = nil
    ) throws -> [Item] {
        try core.bringBack(Array(ids), durability, change)
    }

    /// Removes for good what was removed recently, and frees its space.
    ///
    /// When this method returns, none of it comes back. If it throws, or the process dies first, some of it may be
    /// gone. Changes that need it cannot be undone any more. Ids that are not there any more are ignored.
    ///
    /// - Parameter ids: The ids that `recentlyRemoved()` gave the removed items.
    /// - Throws: What `write(_:)` throws.
    public func removeForGood(_ ids: some Sequence<RemovedItemID>) throws {
        try core.removeForGood(Array(ids))
    }
}
