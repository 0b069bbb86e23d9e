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
    ///   another change, nor load this collection.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; ``DirectoryError`` with `damagedIndex` or `undecodable` if
    ///   the index cannot be read, `invalidName` or `nameTaken` for folder and file names,
    ///   `assetMissing` for assets without a file, `containerRemoved`, `nestedWrite`,
    ///   `unencodable`, and `locked`, `noSpace`, `accessDenied`, `readOnly` or `ioFailure` by
    ///   what the system says; `inDoubt` if the folder could not be synced after the commit.
    public func write<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
        try core.commit(CommitRequest(durability: durability, operation: "change"), body)
    }

    /// Adds `item` at the end.
    ///
    /// The item is on disk when this method returns. If the process dies first, the collection
    /// reopens without the item or with it, never in between. The same holds, for its change, of
    /// every method here; all throw what ``write(_:)-(Draft)`` throws.
    ///
    ///     try notes.append(Note(title: "Milk"))
    ///
    /// - Parameter item: The item to add, with an `id` the collection does not hold.
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

    /// Adds `item` before the item at `index`.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken,
    ///   `indexOutOfRange` if `index` is not one of 0 to the count.
    public func insert(_ item: Item, at index: Int) throws {
        try write { draft in try draft.insert(item, at: index) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func update(_ item: Item) throws {
        try write { draft in try draft.update(item) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none. What `change`
    ///   throws, in which case nothing changes.
    public func update(id: Item.ID, _ change: (inout Item) throws -> Void) throws {
        try write { draft in try draft.update(id: id, change) }
    }

    /// Removes the item with `id`, its folder if it is a container, its file if it is an asset.
    ///
    /// A container's folder is out of the way when this method returns; its bytes go later.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func remove(id: Item.ID) throws {
        try write { draft in try draft.remove(id: id) }
    }

    /// Moves the items at `source` before the item that is now at `destination`.
    ///
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is none.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        try write { draft in try draft.move(fromOffsets: source, toOffset: destination) }
    }
}

extension Directory {
    /// Reads the index if it changed on disk since it was last read.
    ///
    /// What a crash left half done is recovered first. A missing index is an empty collection.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` or `undecodable` if the index cannot be
    ///   read; it is left as it is. `accessDenied` or `ioFailure` by what the system says,
    ///   `containerRemoved`, and `nestedWrite` inside a change of this collection.
    public func load() throws {
        try core.load()
    }

    /// Writes all changes into the index, and waits until the bytes that changes left behind are
    /// removed.
    ///
    /// A large index has a journal for changes beside it, so that each change costs only itself;
    /// after this call the index is complete again, for people and other programs to read. The same
    /// happens by itself when the journal has grown to a part of the index, and when the last
    /// collection of an index is let go of. A crash at any moment leaves the same items.
    ///
    /// - Throws: ``DirectoryError``; its code is `noSpace` where the new index does not fit beside
    ///   the old one, and what ``load()`` throws. The journal then stays.
    public func checkpoint() throws {
        try core.checkpoint()
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` where the ascending order of the collection has its place, after its equals.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func insert(_ item: Item) throws {
        try write { draft in try draft.insert(item) }
    }
}
