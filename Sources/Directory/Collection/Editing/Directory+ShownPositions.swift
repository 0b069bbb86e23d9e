import Foundation

/// Positions in items that a view shows: some of the collection, by their ids.
extension Directory {
    /// Where items of a view go in the collection.
    struct ShownMove: Sendable {
        let ids: [Item.ID]
        /// The item of the view before which they go; nil for the end.
        let next: Item.ID?
        /// The last item of the view, behind which they go at the end.
        let last: Item.ID
    }

    func delete(at offsets: IndexSet, of shown: Items) throws {
        try remove(ids: ids(at: offsets, in: shown, "delete from"))
    }

    func delete(at offsets: IndexSet, of shown: Items) async throws {
        try await remove(ids: ids(at: offsets, in: shown, "delete from"))
    }

    func move(_ source: IndexSet, to destination: Int, of shown: Items, isSorted: Bool) throws {
        let move = try shownMove(source, destination, shown, isSorted)
        if let move { try write { draft in try draft.move(move) } }
    }

    func move(_ source: IndexSet, to destination: Int, of shown: Items, isSorted: Bool) async throws
    {
        let move = try shownMove(source, destination, shown, isSorted)
        if let move { try await write { draft in try draft.move(move) } }
    }

    /// Nil if the order of `shown` stays the same: items that are not shown must not change places with these.
    private func shownMove(
        _ source: IndexSet, _ destination: Int, _ shown: Items, _ isSorted: Bool
    ) throws -> ShownMove? {
        if isSorted {
            throw DirectoryError(
                .sortedResults, "move items of", url,
                "the results are sorted, so that the values of the items decide where they are")
        }
        let ids = try ids(at: source, in: shown, "move items of")
        let next = try id(at: destination, in: shown, "move items of")
        guard let first = source.first, let end = source.last.map({ $0 + 1 }), let last = shown.last
        else { return nil }
        let isInPlace = source.count == end - first && (first...end).contains(destination)
        return isInPlace ? nil : ShownMove(ids: ids, next: next, last: last.id)
    }
}

extension Directory.Draft {
    fileprivate mutating func move(_ move: Directory.ShownMove) throws {
        var next = move.next
        if next == nil {
            let end = try position(of: move.last, "move items of") + 1
            next = end == items.count ? nil : items[end].id
        }
        try self.move(move.ids, before: next)
    }
}
