extension Directory {
    /// Ends the use of the collection in this process, and leaves only plain files.
    ///
    /// It saves the edits of bindings that wait, writes all changes into the index, as
    /// `checkpoint()` does, and waits until the files that changes removed are deleted. When it
    /// returns, the only hidden file of the collection is its lock, unless another process changes the
    /// collection meanwhile, or a ``Stage`` was neither inserted nor discarded.
    ///
    /// Call it before the process ends, or before the folder is moved, archived or unmounted. Without
    /// it nothing is lost: what stays is read, or removed, by the next process.
    ///
    ///     try projects.close()
    ///
    /// Behaviour:
    /// - It closes every value of the index in this process. ``items`` and the files of its assets can
    ///   still be read; each load and each change throws `closed`. A second call does nothing.
    /// - A value of the index that is opened afterwards begins anew.
    /// - Collections that its items hold are closed on their own. They stay usable, but no longer
    ///   follow their container when it is renamed, unless `child(_:of:options:)` of a new value
    ///   was asked for them.
    /// - If it throws, the collection is as open as before, and all changes are on disk.
    /// - A collection that cannot be written to, or whose container was removed, is just closed.
    ///
    /// - Throws: What `checkpoint()` throws.
    public func close() throws {
        try core.close()
    }
}
