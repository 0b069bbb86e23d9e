public import Foundation

extension Directory {
    /// Adds `item` at the end.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func append(_ item: Item) async throws {
        try await write { draft in try draft.append(item) }
    }

    /// Adds `newItems` at the end, in their order, in one commit.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func append(contentsOf newItems: some Sequence<Item> & Sendable) async throws {
        try await write { draft in try draft.append(contentsOf: newItems) }
    }

    /// Adds `item` before the item at `index`, or at the end.
    ///
    /// - Parameters:
    ///   - item: The item to add.
    ///   - index: A position in ``items`` at the time of the call, or their count.
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, `indexOutOfRange` if `index` is not from 0
    ///   to the count, `itemNotFound` if the item at `index` was removed, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(_ item: Item, at index: Int) async throws {
        if core.currentPhase != .loaded { try await load() }
        let next = try id(at: index, in: currentItems, "insert into")
        try await write { draft in try draft.insert(item, before: next) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func update(_ item: Item) async throws {
        try await write { draft in try draft.update(item) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: The error of `change`, or ``DirectoryError`` with `itemNotFound` if the collection has no such item,
    ///   and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing changes.
    public func update(
        id: Item.ID, _ change: @escaping @Sendable (inout Item) throws -> Void
    ) async throws {
        try await write { draft in try draft.update(id: id, change) }
    }

    /// Removes the item with `id`, with the folder of a container and the file of an asset.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func remove(id: Item.ID) async throws {
        try await write { draft in try draft.remove(id: id) }
    }

    /// Replaces the item that has the id of `item`; adds `item` at the end if the collection has no
    /// such item.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an element that cannot be decoded has the `id`, and the
    ///   [codes of every change](doc:Errors#Codes-of-every-change).
    public func updateOrAppend(_ item: Item) async throws {
        try await write { draft in try draft.updateOrAppend(item) }
    }

    /// Removes the items with `ids`, as `remove(id:)` does, in one commit.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if an id belongs to no item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func remove(ids: some Sequence<Item.ID> & Sendable) async throws {
        try await write { draft in try draft.remove(ids: ids) }
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as `remove(id:)` does, in one
    /// commit.
    ///
    /// - Throws: The error of `shouldBeRemoved`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func removeAll(
        where shouldBeRemoved: @escaping @Sendable (Item) throws -> Bool
    ) async throws {
        try await write { draft in try draft.removeAll(where: shouldBeRemoved) }
    }

    /// Moves the items at `source` before the item that is now at `destination`, or to the end.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` at the time of the call.
    ///   - destination: A position in ``items``, or their count.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if one of the items
    ///   was removed, and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) async throws {
        if core.currentPhase != .loaded { try await load() }
        let items = currentItems
        let ids = try ids(at: source, in: items, "move items of")
        let next = try id(at: destination, in: items, "move items of")
        try await write { draft in try draft.move(ids, before: next) }
    }

    /// Sorts the items; items that `comparator` does not tell apart keep their order.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func sort(using comparator: some SortComparator<Item> & Sendable) async throws {
        try await write { draft in draft.sort(using: comparator) }
    }
}

extension Directory {
    /// Undoes the newest change of this process that is not undone yet.
    ///
    /// Changes of tasks that already wait for a commit are committed first.
    ///
    /// - Returns: The change that the undo made; nil if there was nothing to undo.
    /// - Throws: ``DirectoryError`` with `undoConflict`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func undo() async throws -> Change? {
        try await perform { try $0.undo() }
    }

    /// Forgets all changes that can be undone or redone, and deletes their kept files.
    ///
    /// - Throws: ``DirectoryError`` with `nestedWrite`.
    public func removeUndoHistory() async throws {
        try await perform { try $0.removeUndoHistory() }
    }

    /// Makes the newest undone change again.
    ///
    /// - Returns: The change that the redo made; nil if there was nothing to redo, or if another
    ///   change came after the undo.
    /// - Throws: ``DirectoryError`` with `undoConflict`, `nameTaken` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func redo() async throws -> Change? {
        try await perform { try $0.redo() }
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the `id` is taken, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func insert(_ item: Item) async throws {
        try await write { draft in try draft.insert(item) }
    }

    /// Sorts the items in ascending order; equal items keep their order.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func sort() async throws {
        try await write { draft in draft.sort() }
    }
}
