extension Directory {
    /// Undoes the newest change of this process that is not undone yet.
    ///
    /// A change is one call such as `append(_:)`, one `write(_:)` with everything in it, or the edits of bindings that
    /// were saved together. The options say how many of the newest changes are kept:
    ///
    ///     let options = DirectoryOptions(undoLimit: 50)
    ///     let projects = try Directory<Project>(at: folder, index: "projects.json", options: options)
    ///     try projects.remove(id: project.id)
    ///     try projects.undo()      // with its folder and everything in it
    ///
    /// Behaviour:
    /// - An undo is a commit as any other: on disk when it returns, all or nothing in a crash, and observed.
    /// - It works on the newest state. Items that the change added are removed. Items that it removed are added again,
    ///   behind the items that they followed, with the folder of a container and the file of an asset. Updated items
    ///   are as before, byte for byte; moved items are at their old places. If nothing else has changed, the
    ///   collection is exactly as before the change.
    /// - If the same items were changed later, the undo throws `undoConflict`, and nothing changes. The change stays
    ///   the newest one that can be undone. The same holds if the undo would remove a container in whose folder this
    ///   or another process has added or changed something.
    /// - If an item needs a name that another item or a file has, the undo throws `nameTaken`; it can be tried again
    ///   when the name is free.
    /// - A transfer is undone by the collection that the items left, if that has an `undoLimit`.
    /// - Changes of other processes, repairs and migrations cannot be undone. They end no history: if they changed the
    ///   same items, the undo throws `undoConflict`.
    /// - After a new change, earlier undone changes cannot be redone.
    /// - Removed folders and files stay on the volume, in `.trash`, until newer changes take their place in the
    ///   history, until ``removeUndoHistory()-6ydmb`` or `close()`, until the last `Directory` value of the index is
    ///   released, or until the process has ended. If they cannot be kept, because the volume is full or
    ///   another one is mounted at their folder, neither this change nor those before it can be undone.
    ///
    /// - Returns: The change that the undo made; nil if there was nothing to undo.
    /// - Throws: ``DirectoryError`` with `undoConflict`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func undo() throws -> Change? {
        try core.undoNewest(as: .undo, durability).map(Change.init)
    }

    /// Makes the newest undone change again.
    ///
    /// A redo keeps all promises of an undo.
    ///
    /// - Returns: The change that the redo made; nil if there was nothing to redo, or if another
    ///   change came after the undo.
    /// - Throws: ``DirectoryError`` with `undoConflict`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func redo() throws -> Change? {
        try core.undoNewest(as: .redo, durability).map(Change.init)
    }

    /// Forgets all changes that can be undone or redone, and deletes their kept files.
    ///
    /// When this method returns, their space is free. Call it when the volume is full
    /// (``DirectoryError/Code/noSpace``), because removals free no space while their files are kept
    /// for an undo.
    ///
    /// - Throws: ``DirectoryError`` with `nestedWrite`.
    public func removeUndoHistory() throws { try core.removeHistory() }

    /// Whether `undo()` has a change to undo, observed on its own.
    public var canUndo: Bool {
        core.broadcaster.observers.access(\.canUndo)
        return core.history.canUndo
    }

    /// Whether `redo()` has a change to make again, observed on its own.
    public var canRedo: Bool {
        core.broadcaster.observers.access(\.canRedo)
        return core.history.canRedo
    }
}
