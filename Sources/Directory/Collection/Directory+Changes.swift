public import Foundation

extension Directory {
    /// Applies several changes as one: all of them are committed, or none.
    ///
    /// The change is on disk when this method returns. If the process dies first, the collection
    /// reopens as it was or with all of the change, never in between.
    ///
    ///     try projects.write { draft in
    ///         try draft.append(contentsOf: batch)
    ///         try draft.remove(id: old.id)
    ///     }
    ///
    /// - Parameter body: Changes the draft. If it throws, nothing changes. It must not begin
    ///   another change, nor load this collection. It runs again if it reaches into a collection of an item that
    ///   others use just now.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; ``DirectoryError`` with `damagedIndex` or `undecodable` if
    ///   the index cannot be read, `undecodable` also if no item but damaged elements would stay;
    ///   `invalidName` or `nameTaken` for folder and file names, `assetMissing` for assets without a
    ///   file, `indexConflict` if another program changes the index just now, `containerRemoved`,
    ///   `unfinishedChange`, `journalDamaged`, `closed`, `nestedWrite`, `invalidID`, `unencodable`,
    ///   and `locked`, `noSpace`, `accessDenied`, `deviceLocked`, `readOnly` or `ioFailure`, depending
    ///   on what the system reports; `inDoubt` if the folder could not be synced after the commit.
    public func write<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
        try core.commit(CommitRequest(durability: durability, operation: "change"), body)
    }

    /// Adds `item` at the end.
    ///
    /// The item is on disk when this method returns. If the process dies first, the collection
    /// reopens without the item or with it, never in between. The same is true of every method
    /// here, and all of them throw what `write(_:)` throws.
    ///
    ///     try notes.append(Note(title: "Milk"))
    ///
    /// - Parameter item: The item to add; no item of the collection may have its `id`.
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func append(_ item: Item) throws {
        try write { draft in try draft.append(item) }
    }

    /// Adds `newItems` at the end, in their order, in one commit.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if an `id` is taken.
    public func append(contentsOf newItems: some Sequence<Item>) throws {
        try write { draft in try draft.append(contentsOf: newItems) }
    }

    /// Adds `item` before the item at `index`, or at the end.
    ///
    /// - Parameters:
    ///   - item: The item to add.
    ///   - index: A position in ``items`` as they are when this is called, or their count.
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken,
    ///   `indexOutOfRange` if `index` is not from 0 to the count, `itemNotFound` if another process has
    ///   removed the item at `index` since.
    public func insert(_ item: Item, at index: Int) throws {
        let next = try id(at: index, in: core.shownItems(), "insert into")
        try write { draft in try draft.insert(item, before: next) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func update(_ item: Item) throws {
        try write { draft in try draft.update(item) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none. It also throws
    ///   what `change` throws; then nothing changes.
    public func update(id: Item.ID, _ change: (inout Item) throws -> Void) throws {
        try write { draft in try draft.update(id: id, change) }
    }

    /// Replaces the item that has the id of `item`, or adds `item` at the end if there is none.
    ///
    /// - Throws: ``DirectoryError``, as `write(_:)` does.
    public func updateOrAppend(_ item: Item) throws {
        try write { draft in try draft.updateOrAppend(item) }
    }

    /// Removes the item with `id`, its folder if it is a container, its file if it is an asset.
    ///
    /// When this method returns, a container's folder is no longer at its place; its bytes are
    /// deleted later.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func remove(id: Item.ID) throws {
        try write { draft in try draft.remove(id: id) }
    }

    /// Removes the items with `ids`, as `remove(id:)` does, in one commit.
    ///
    /// An id that comes twice counts once.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is no item with one of
    ///   them. Then nothing is removed.
    public func remove(ids: some Sequence<Item.ID>) throws {
        try write { draft in try draft.remove(ids: ids) }
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as `remove(id:)` does, in one
    /// commit.
    ///
    ///     try notes.removeAll { $0.isDone }
    ///
    /// - Parameter shouldBeRemoved: Called with each item of the newest state, in order.
    /// - Throws: ``DirectoryError``, and what `shouldBeRemoved` throws; then nothing is removed.
    public func removeAll(where shouldBeRemoved: (Item) throws -> Bool) throws {
        try write { draft in try draft.removeAll(where: shouldBeRemoved) }
    }

    /// Moves the items at `source` before the item that is now at `destination`, or to the end.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` as they are when this is called.
    ///   - destination: A position there, or their count.
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is invalid, `itemNotFound`
    ///   if another process has removed one of the items since.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        let items = try core.shownItems()
        let ids = try ids(at: source, in: items, "move items of")
        let next = try id(at: destination, in: items, "move items of")
        try write { draft in try draft.move(ids, before: next) }
    }

    /// Sorts the items; those that `comparator` says are the same keep their order.
    ///
    /// However many items move, this is one commit, which writes at most the index once. If the
    /// items are sorted already, nothing is written.
    ///
    ///     try notes.sort(using: KeyPathComparator(\.title))
    ///
    /// - Throws: ``DirectoryError``, as `write(_:)` does.
    public func sort(using comparator: some SortComparator<Item>) throws {
        try write { draft in draft.sort(using: comparator) }
    }
}

extension Directory {
    /// Reads the index if it changed on disk since it was last read.
    ///
    /// What a crash left half done is recovered first. A missing index is an empty collection.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` or `undecodable` if the index cannot be
    ///   read, which is then left as it is; `accessDenied` or `ioFailure`, depending on what the
    ///   system reports; `containerRemoved`; and `nestedWrite` inside a change of this collection.
    public func load() throws {
        try core.load()
    }

    /// Writes all changes into the index, and waits until the files that changes removed are
    /// deleted from the disk.
    ///
    /// A large index has a journal for changes beside it, so that each change costs only itself;
    /// after this call the index is complete again, for people and other programs to read. This
    /// also happens automatically when the journal has reached a certain part of the index's size,
    /// and when the last `Directory` value of an index is released, or, if it has more than 1,000 items,
    /// some seconds after that, unless it is opened again. A program that ends at once calls `close()` for that.
    /// A crash at any moment leaves
    /// the same items.
    ///
    /// - Throws: ``DirectoryError``; its code is `noSpace` if the new index does not fit beside
    ///   the old one, and what `load()` throws. The journal then stays.
    public func checkpoint() throws {
        try core.checkpoint()
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func insert(_ item: Item) throws {
        try write { draft in try draft.insert(item) }
    }

    /// Sorts the items in ascending order, as `sort(using:)` does; equal items keep their order.
    ///
    /// - Throws: ``DirectoryError``, as `write(_:)` does.
    public func sort() throws {
        try write { draft in draft.sort() }
    }
}
