extension Difference {
    /// Adds the entries of removed items, except those that are held: `held` says whether for a person.
    mutating func addRemovals(holding held: [ItemReference: Bool]) {
        let removed = Set(self.removed)
        for item in self.removed {
            guard var old = base[item] ?? base.held[item]?.shown else { continue }
            if let isForPerson = held[item] {
                if base.held[item]?.isForPerson == isForPerson { continue }
                // Later, changes of others are known that the person who removed the item had not seen.
                old.seen = old.seen ?? shown
                change.held.append((item, .init(shown: old, isForPerson: isForPerson)))
                continue
            }
            change.items.append((item, nil))
            guard state.isAlive(item) else { continue }
            // Others have moved it away meanwhile.
            if state[item]?.container(state.rules)?.value != old.container { continue }
            var entry = SegmentEntry(item)
            let owner = CollectionReference(item.kind, in: old.container).owner
            entry.removed = owner.map(removed.contains) == true ? .container : .item
            entry.seen = old.seen
            entries.append(entry)
        }
    }
}
