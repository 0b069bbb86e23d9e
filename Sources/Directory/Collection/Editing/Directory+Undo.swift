extension Directory {
    /// Takes back the newest change of this process that was not taken back yet; nil if there is none.
    ///
    /// A change is one call such as `append(_:)`, one `write(_:)` with all it does, or the edits of
    /// bindings that were saved together. The newest ones are kept, as many as the options say:
    ///
    ///     let options = DirectoryOptions(undoLimit: 50)
    ///     let projects = try Directory<Project>(at: folder, index: "projects.json", options: options)
    ///     try projects.remove(id: project.id)
    ///     try projects.undo()      // with its folder and everything in it
    ///
    /// Behaviour:
    /// - It is a commit as any other: on disk when it returns, all or nothing in a crash, and observed.
    /// - It works on the newest state. Items that the change added are removed; removed ones are back
    ///   behind the items that they followed, with the folder of a container and the file of an asset;
    ///   updated ones are as before byte for byte; moved ones are back. If nothing else changed since,
    ///   the collection is exactly as before the change.
    /// - If something that it would change was changed since, it throws `undoConflict`, and nothing
    ///   changes. The change stays the newest one that can be undone. The same holds if it would remove a
    ///   container in whose folder something was added or changed since, by this process or by others.
    /// - If it needs a name that another item or a file has by now, it throws `nameTaken`; when the name
    ///   is free, it can be tried again.
    /// - A transfer is undone by the collection that the items left, if it has a limit.
    /// - What other processes change cannot be undone here, nor can repairs and migrations.
    ///   They end no history: if they touched what an undo would change, it throws `undoConflict`.
    /// - A new change ends what can be redone.
    /// - Removed folders and files stay on the volume, in `.trash`, until newer changes push theirs out,
    ///   until ``removeUndoHistory()-6ydmb`` or `close()`, until the last `Directory` value of the index is
    ///   released, or until the process has ended. If they cannot be kept, because the volume is full, the change cannot be
    ///   undone, and neither can those before it.
    ///
    /// - Returns: What the undo changed; nil if there was nothing to undo.
    /// - Throws: ``DirectoryError`` with `undoConflict`, `nameTaken`, and what `load()` and
    ///   `write(_:)` throw.
    @discardableResult
    public func undo() throws -> Change? {
        try core.takeBack(as: .undo, durability)
    }

    /// Makes the change again that `undo()` took back last; nil if there is none, or if there was
    /// another change since.
    ///
    /// All that holds for an undo holds for a redo.
    ///
    /// - Returns: What the redo changed; nil if there was nothing to redo.
    /// - Throws: What `undo()` throws.
    @discardableResult
    public func redo() throws -> Change? {
        try core.takeBack(as: .redo, durability)
    }

    /// Forgets all changes that can be undone or redone, and deletes the files that they keep.
    ///
    /// When this method returns, their space is free. Do this when the volume is full
    /// (``DirectoryError/Code/noSpace``): until then, removals free no space.
    ///
    /// - Throws: ``DirectoryError`` with `nestedWrite`.
    public func removeUndoHistory() throws { try core.removeHistory() }

    /// Whether there is a change that `undo()` can take back, observed on its own.
    public var canUndo: Bool {
        core.broadcaster.observers.access(\.canUndo)
        return core.history.canUndo
    }

    /// Whether there is a change that `redo()` can make again, observed on its own.
    public var canRedo: Bool {
        core.broadcaster.observers.access(\.canRedo)
        return core.history.canRedo
    }
}
