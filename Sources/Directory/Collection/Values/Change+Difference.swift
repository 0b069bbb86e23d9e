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
    /// An item that moved is a removal and an insertion, which name each other's offset
    /// (`associatedWith`). As few items as possible are moved. Items that were updated in place are
    /// not part of the difference: ``updated`` has them.
    ///
    /// This takes time in proportion to the number of removals and insertions; if the change is a new
    /// order, in proportion to the number of items.
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
        // The steps are valid; the standard library would find others, in more time.
        return CollectionDifference(steps) ?? after.ids.difference(from: before.ids)
    }

    /// The ids of some items, without which the items of both states have one order.
    var movedIDs: Set<Item.ID> { moved ?? Set(moves.map(\.id)) }

    /// As few items as possible, without which the items of both states have one order.
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
