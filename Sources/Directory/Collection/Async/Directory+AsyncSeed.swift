public import Foundation

extension Directory {
    /// Removes the items at `offsets`, each as `remove(id:)` does, in one commit.
    ///
    /// - Parameter offsets: Positions in ``items`` at the time of the call.
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is invalid, `itemNotFound` if another
    ///   process has removed one of the items.
    public func delete(at offsets: IndexSet) async throws {
        if core.currentPhase != .loaded { try await load() }
        try await remove(ids: ids(at: offsets, in: core.snapshot.items, "delete from"))
    }

    /// Removes `item`; the same as `remove(id:)` with its id.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if the collection has no such item.
    public func delete(item: Item) async throws {
        try await remove(id: item.id)
    }

    /// Moves items; the same as `move(fromOffsets:toOffset:)`.
    ///
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is invalid.
    public func move(from source: IndexSet, to destination: Int) async throws {
        try await move(fromOffsets: source, toOffset: destination)
    }
}
