extension Directory {
    /// Ends the use of the collection in this process, and leaves only plain files.
    ///
    /// It saves pending edits of bindings, writes all changes into the index as `checkpoint()`
    /// does, and waits until removed files are deleted. When it returns, the only hidden file of
    /// the collection is its lock, unless another process changes the collection meanwhile, or a
    /// ``Stage`` was neither inserted nor discarded.
    ///
    /// Call it before the process ends, or before the folder is moved, archived or unmounted.
    /// Without this call nothing is lost: the next process reads or removes the hidden files.
    ///
    ///     try projects.close()
    ///
    /// Behaviour:
    /// - It closes every value of the index in this process. ``items`` and the files of its assets
    ///   can still be read; each load and each change throws `closed`. A second call does nothing.
    /// - A value of the index that is opened afterwards begins anew.
    /// - The collections inside its items are not closed. They stay usable, but no longer follow
    ///   their container when it is renamed, until `child(_:of:options:)` of a new value opens them
    ///   again.
    /// - If it throws, the collection stays open, and all changes are on disk.
    /// - If the collection cannot be written to, or its container was removed, it is closed without
    ///   a checkpoint.
    ///
    /// - Throws: ``DirectoryError`` with `noSpace` if the new index does not fit beside the old one, and the [codes of
    ///   every load](doc:Errors#Codes-of-every-load).
    public func close() throws {
        try core.close()
    }
}
