public import Foundation

extension Directory {
    /// Adds `item` at the end.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func append(_ item: Item) async throws {
        try await write { draft in try draft.append(item) }
    }

    /// Adds `newItems` at the end, in their order, in one commit.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if an `id` is taken.
    public func append(contentsOf newItems: some Sequence<Item> & Sendable) async throws {
        try await write { draft in try draft.append(contentsOf: newItems) }
    }

    /// Adds `item` before the item at `index`, or at the end.
    ///
    /// - Parameters:
    ///   - item: The item to add.
    ///   - index: A position in ``items`` as they are when this is called, or their count.
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken,
    ///   `indexOutOfRange` if `index` is not from 0 to the count, `itemNotFound` if the item at `index`
    ///   was removed since.
    public func insert(_ item: Item, at index: Int) async throws {
        if core.currentPhase != .loaded { try await load() }
        let next = try id(at: index, in: core.snapshot.items, "insert into")
        try await write { draft in try draft.insert(item, before: next) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func update(_ item: Item) async throws {
        try await write { draft in try draft.update(item) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none. It also throws
    ///   what `change` throws; then nothing changes.
    public func update(
        id: Item.ID, _ change: @escaping @Sendable (inout Item) throws -> Void
    ) async throws {
        try await write { draft in try draft.update(id: id, change) }
    }

    /// Removes the item with `id`, its folder if it is a container, its file if it is an asset.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func remove(id: Item.ID) async throws {
        try await write { draft in try draft.remove(id: id) }
    }

    /// Replaces the item that has the id of `item`, or adds `item` at the end if there is none.
    ///
    /// - Throws: What `write(_:)` throws.
    public func updateOrAppend(_ item: Item) async throws {
        try await write { draft in try draft.updateOrAppend(item) }
    }

    /// Removes the items with `ids`, as `remove(id:)` does, in one commit.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is no item with one of
    ///   them. Then nothing is removed.
    public func remove(ids: some Sequence<Item.ID> & Sendable) async throws {
        try await write { draft in try draft.remove(ids: ids) }
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as `remove(id:)` does, in one
    /// commit.
    ///
    /// - Throws: ``DirectoryError``, and what `shouldBeRemoved` throws; then nothing is removed.
    public func removeAll(
        where shouldBeRemoved: @escaping @Sendable (Item) throws -> Bool
    ) async throws {
        try await write { draft in try draft.removeAll(where: shouldBeRemoved) }
    }

    /// Moves the items at `source` before the item that is now at `destination`, or to the end.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` as they are when this is called.
    ///   - destination: A position there, or their count.
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is invalid, `itemNotFound`
    ///   if one of the items was removed since.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) async throws {
        if core.currentPhase != .loaded { try await load() }
        let items = core.snapshot.items
        let ids = try ids(at: source, in: items, "move items of")
        let next = try id(at: destination, in: items, "move items of")
        try await write { draft in try draft.move(ids, before: next) }
    }

    /// Sorts the items; those that `comparator` says are the same keep their order.
    ///
    /// - Throws: What `write(_:)` throws.
    public func sort(using comparator: some SortComparator<Item> & Sendable) async throws {
        try await write { draft in draft.sort(using: comparator) }
    }
}

extension Directory {
    /// Takes back the newest change of this process that was not taken back yet; nil if there is none.
    ///
    /// Changes of tasks that wait for a commit already are committed first.
    ///
    /// - Returns: What the undo changed; nil if there was nothing to undo.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func undo() async throws -> Change? {
        try await perform { try $0.undo() }
    }

    /// Forgets all changes that can be undone or redone, and deletes the files that they keep.
    ///
    /// - Throws: What the synchronous method throws.
    public func removeUndoHistory() async throws {
        try await perform { try $0.removeUndoHistory() }
    }

    /// Makes the change again that an undo took back last; nil if there is none, or if there was
    /// another change since.
    ///
    /// - Returns: What the redo changed; nil if there was nothing to redo.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func redo() async throws -> Change? {
        try await perform { try $0.redo() }
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func insert(_ item: Item) async throws {
        try await write { draft in try draft.insert(item) }
    }

    /// Sorts the items in ascending order; equal items keep their order.
    ///
    /// - Throws: What `write(_:)` throws.
    public func sort() async throws {
        try await write { draft in draft.sort() }
    }
}
