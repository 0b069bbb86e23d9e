public import Foundation

extension Directory {
    /// Removes the items at `offsets`, each as `remove(id:)` does, in one commit.
    ///
    /// - Parameter offsets: Positions in ``items`` at the time of the call.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if another process
    ///   has removed one of the items, and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func delete(at offsets: IndexSet) async throws {
        if core.currentPhase != .loaded { try await load() }
        try await remove(ids: ids(at: offsets, in: currentItems, "delete from"))
    }

    /// Removes `item`; the same as `remove(id:)` with its id.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func delete(item: Item) async throws {
        try await remove(id: item.id)
    }

    /// Moves items; the same as `move(fromOffsets:toOffset:)`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func move(from source: IndexSet, to destination: Int) async throws {
        try await move(fromOffsets: source, toOffset: destination)
    }
}
