public import Foundation

extension Results {
    /// Removes the items at `offsets` of the results, each as `remove(id:)` of the collection does, in one commit.
    ///
    ///     ForEach(open.items) { task in TaskRow(task) }
    ///         .onDelete { offsets in attempt { try open.delete(at: offsets) } }
    ///
    /// - Parameter offsets: Positions in ``items`` at the time of the call.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if another process
    ///   has removed one of the items, and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing
    ///   is removed.
    public func delete(at offsets: IndexSet) throws {
        try directory.delete(at: offsets, of: items)
    }

    /// Removes the items at `offsets` of the results, each as `remove(id:)` of the collection does, in one commit.
    ///
    /// - Parameter offsets: Positions in ``items`` at the time of the call.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if one of the items
    ///   was removed, and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func delete(at offsets: IndexSet) async throws {
        try await directory.delete(at: offsets, of: items)
    }

    /// Moves the items at `source` of the results before the item that is now at `destination`, or to the end.
    ///
    /// In the collection, the items move to the place before that item; at the end of the results, to the place behind
    /// the last item of the results. Items that the results do not include stay where they are. If the order of the
    /// results stays the same, nothing is written.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` at the time of the call.
    ///   - destination: A position in ``items``, or their count.
    /// - Throws: ``DirectoryError`` with `sortedResults` if the results are sorted, `indexOutOfRange` if a position is
    ///   invalid, `itemNotFound` if another process has removed one of the items, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing moves.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        try directory.move(source, to: destination, of: items, isSorted: isSorted)
    }

    /// Moves the items at `source` of the results before the item that is now at `destination`, or to the end.
    ///
    /// - Parameters:
    ///   - source: Positions in ``items`` at the time of the call.
    ///   - destination: A position in ``items``, or their count.
    /// - Throws: ``DirectoryError`` with `sortedResults` if the results are sorted, `indexOutOfRange` if a position is
    ///   invalid, `itemNotFound` if one of the items was removed, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing moves.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) async throws {
        try await directory.move(source, to: destination, of: items, isSorted: isSorted)
    }
}
