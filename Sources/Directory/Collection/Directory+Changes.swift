public import Foundation

extension Directory {
    /// Applies several changes as one: all of them are committed, or none.
    ///
    /// The change is on disk when this method returns. If the process dies first, the collection reopens as it was or
    /// with all of the change, never in between.
    ///
    ///     try projects.write { draft in
    ///         try draft.append(contentsOf: batch)
    ///         try draft.remove(id: old.id)
    ///     }
    ///
    /// - Parameter body: Changes the draft. If it throws, nothing changes. It must not begin another change or load
    ///   this collection. It runs again if it changes a collection inside an item, or the folder of an item, that another
    ///   thread or process uses.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change), such as `nameTaken`, `unencodable`, `locked` and `noSpace`.
    public func write<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
        try commit(CommitRequest(durability: durability, operation: "change"), body)
    }

    /// Adds `item` at the end.
    ///
    /// The item is on disk when this method returns. If the process dies first, the collection
    /// reopens without the item or with it, never in between. The same is true of every method
    /// here.
    ///
    ///     try notes.append(Note(title: "Milk"))
    ///
    /// - Parameter item: The item to add; no item of the collection may have its `id`.
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func append(_ item: Item) throws {
        try commitChange { try coding.append(item, to: &$0) }
    }

    /// Adds `newItems` at the end, in their order, in one commit.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func append(contentsOf newItems: some Sequence<Item>) throws {
        try write { draft in try draft.append(contentsOf: newItems) }
    }

    /// Adds `item` before the item at `index`, or at the end.
    ///
    /// - Parameters:
    ///   - item: The item to add.
    ///   - index: A position in ``items`` at the time of the call, or their count.
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, `indexOutOfRange` if `index` is not from 0
    ///   to the count, `itemNotFound` if another process has removed the item at `index`, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(_ item: Item, at index: Int) throws {
        let next = try id(at: index, in: shownItems(), "insert into")
        try write { draft in try draft.insert(item, before: next) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func update(_ item: Item) throws {
        try commitChange { try coding.update(item, in: &$0) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: The error of `change`, or ``DirectoryError`` with `itemNotFound` if the collection has no such item,
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing changes.
    public func update(id: Item.ID, _ change: (inout Item) throws -> Void) throws {
        try commitChange { try coding.update(id: id, in: &$0, change) }
    }

    /// Replaces the item that has the id of `item`; adds `item` at the end if the collection has no
    /// such item.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an element that cannot be decoded has the `id`, and the
    ///   [codes of every change](doc:Errors#Codes-of-every-change).
    public func updateOrAppend(_ item: Item) throws {
        try write { draft in try draft.updateOrAppend(item) }
    }

    /// Removes the item with `id`, with the folder of a container and the file of an asset.
    ///
    /// When this method returns, a container's folder is no longer at its place; its files are
    /// deleted later.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func remove(id: Item.ID) throws {
        try commitChange { try coding.remove(id: id, from: &$0) }
    }

    /// Removes the items with `ids`, as `remove(id:)` does, in one commit.
    ///
    /// An id that is given twice counts once.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if an id belongs to no item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func remove(ids: some Sequence<Item.ID>) throws {
        try write { draft in try draft.remove(ids: ids) }
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as `remove(id:)` does, in one
    /// commit.
    ///
    ///     try notes.removeAll { $0.isDone }
    ///
    /// - Parameter shouldBeRemoved: Called with each item of the newest state, in order.
    /// - Throws: The error of `shouldBeRemoved`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func removeAll(where shouldBeRemoved: (Item) throws -> Bool) throws {
        try write { draft in try draft.removeAll(where: shouldBeRemoved) }
    }

    /// Moves the items at `source` before the item that is now at `destination`, or to the end.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` at the time of the call.
    ///   - destination: A position in ``items``, or their count.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if another process
    ///   has removed one of the items, and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        let items = try shownItems()
        let ids = try ids(at: source, in: items, "move items of")
        let next = try id(at: destination, in: items, "move items of")
        try write { draft in try draft.move(ids, before: next) }
    }

    /// Sorts the items; items that `comparator` does not tell apart keep their order.
    ///
    /// A sort is one commit and writes the index at most once, however many items move. If the
    /// items are sorted already, nothing is written.
    ///
    ///     try notes.sort(using: KeyPathComparator(\.title))
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func sort(using comparator: some SortComparator<Item>) throws {
        try write { draft in draft.sort(using: comparator) }
    }
}

extension Directory {
    /// Reads the index if it changed on disk since it was last read.
    ///
    /// An unfinished change of a process that crashed is recovered first. A missing index is an
    /// empty collection.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load), such as
    ///   `damagedIndex`, `undecodable` and `accessDenied`.
    public func load() throws {
        try core.load()
    }

    /// Writes all changes into the index, and waits until removed files are deleted from the disk.
    ///
    /// Beside a large index, a journal holds the newest changes, so that the cost of a change does not grow with the
    /// index. After this call the index is complete, for people and other programs to read.
    ///
    /// A checkpoint also happens automatically: when the journal has reached a certain part of the index's size, and
    /// when the last `Directory` value of an index is released. For an index of more than 64 KiB that is some seconds
    /// after the release, unless the index is opened again; a program that ends at once calls `close()`. A crash at
    /// any moment leaves the same items.
    ///
    /// - Throws: ``DirectoryError`` with `noSpace` if the new index does not fit beside the old one, `readOnly`,
    ///   `unfinishedChange`, and the [codes of every load](doc:Errors#Codes-of-every-load). The journal then stays.
    public func checkpoint() throws {
        try core.checkpoint()
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(_ item: Item) throws {
        try write { draft in try draft.insert(item) }
    }

    /// Sorts the items in ascending order, as `sort(using:)` does; equal items keep their order.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func sort() throws {
        try write { draft in draft.sort() }
    }
}
