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
        var steps: [CollectionDifference<Item.ID>.Change] = []
        for (id, element) in zip(removed, change.removed) {
            guard let offset = change.before.position(of: element) else { continue }
            steps.append(.remove(offset: offset, element: id, associatedWith: nil))
        }
        for move in change.moves {
            let id = move.id.itemID(of: Item.self)
            steps.append(.remove(offset: move.old, element: id, associatedWith: move.new))
            steps.append(.insert(offset: move.new, element: id, associatedWith: move.old))
        }
        for (id, element) in zip(inserted, change.inserted) {
            guard let offset = change.after.position(of: element) else { continue }
            steps.append(.insert(offset: offset, element: id, associatedWith: nil))
        }
        // The steps are valid; the standard library would need more time for other steps.
        return CollectionDifference(steps) ?? after.ids.difference(from: before.ids)
    }
}
