extension Directory.Change {
    /// The removals and insertions that turn the ids of ``before`` into those of ``after``.
    ///
    /// For example, for a list that shows rows by their ids:
    ///
    ///     for change in change.difference() {
    ///         switch change {
    ///         case .remove(let row, _, _): rows.remove(at: row)
    ///         case .insert(let row, let id, _): rows.insert(id, at: row)
    ///         }
    ///     }
    ///
    /// An item that moved is a removal and an insertion, each with the offset of the other
    /// (`associatedWith`). As few items as possible are moved. Items that were updated in place are
    /// not part of the difference: ``updated`` has their ids.
    ///
    /// The time is in proportion to the number of removals and insertions; after a reordering, to
    /// the number of items.
    public func difference() -> CollectionDifference<Item.ID> {
        let moves = isReordered ? moves : []
        var steps: [CollectionDifference<Item.ID>.Change] = []
        for id in removed {
            guard let offset = before.index(of: id) else { continue }
            steps.append(.remove(offset: offset, element: id, associatedWith: nil))
        }
        for move in moves {
            steps.append(.remove(offset: move.old, element: move.id, associatedWith: move.new))
            steps.append(.insert(offset: move.new, element: move.id, associatedWith: move.old))
        }
        for id in inserted {
            guard let offset = after.index(of: id) else { continue }
            steps.append(.insert(offset: offset, element: id, associatedWith: nil))
        }
        // The steps are valid; the standard library would need more time for other steps.
        return CollectionDifference(steps) ?? after.ids.difference(from: before.ids)
    }

    /// The ids of moved items: without these items, both states have the same order.
    var movedIDs: Set<Item.ID> { moved ?? Set(moves.map(\.id)) }

    /// The fewest items whose removal makes both orders equal, with their old and new positions.
    private var moves: [(id: Item.ID, old: Int, new: Int)] {
        let inserted = Set(inserted)
        var olds: [Int] = []
        var news: [Int: (id: Item.ID, position: Int)] = [:]
        for (position, slot) in after.slots.enumerated() where !inserted.contains(slot.item.id) {
            guard let old = before.index(of: slot.item.id) else { continue }
            olds.append(old)
            news[old] = (slot.item.id, position)
        }
        return olds.outOfOrder.compactMap { old in news[old].map { ($0.id, old, $0.position) } }
    }
}
