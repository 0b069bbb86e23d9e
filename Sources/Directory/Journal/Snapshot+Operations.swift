extension Directory.Snapshot {
    /// The line operations that turn `base` into this snapshot; nil if either has damaged lines.
    ///
    /// `change` says how the two differ, and `moved` which items were moved or re-added. First
    /// come all removals, from the end to the front, then all insertions in their order, then the
    /// replacements: so each position is one in `base` or one in this snapshot. An item that was
    /// moved is removed and inserted.
    func operations(from base: Self, _ change: Directory.Change, moved: Set<Item.ID>)
        -> [LineOperation]?
    {
        guard base.damaged.isEmpty, damaged.isEmpty else { return nil }
        let kept = moved.filter { base.items.contains(id: $0) && items.contains(id: $0) }
        let old = base.items.positions(of: change.removed + kept)
        let new = items.positions(of: change.inserted + kept)
        let replaced = items.positions(of: change.updated.filter { !kept.contains($0) })
        let removals = old.reversed().map { position in
            let line = base.items.slot(at: position).line
            return LineOperation.remove(at: position, checksum: CRC32.checksum(of: line))
        }
        return removals
            + new.map { .insert(items.slot(at: $0).line, at: $0) }
            + replaced.map { .replace(items.slot(at: $0).line, at: $0) }
    }

    /// This snapshot after `operations`, and the change; nil if an operation does not fit, or a line is damaged.
    func applying(_ operations: some Sequence<LineOperation>, _ coding: ItemCoding<Item>)
        -> (snapshot: Self, change: Directory.Change)?
    {
        guard damaged.isEmpty else { return nil }
        var next = self
        var (touched, moved): (Set<Item.ID>, Set<Item.ID>) = ([], [])
        for operation in operations {
            guard let id = next.items.apply(operation, coding) else { return nil }
            let isFirst = touched.insert(id).inserted
            // An insertion of an item that was touched before means that the item was removed: it moved.
            if !isFirst, case .insert = operation { moved.insert(id) }
        }
        next.names = LazyNames(of: next.items)
        let change = Directory<Item>.Change(
            from: items, to: next.items, by: .otherProcess, touching: touched, moving: moved)
        return (next, change)
    }
}

extension Directory.Items {
    /// The positions of the items with `ids`, ascending.
    fileprivate func positions(of ids: [Item.ID]) -> [Int] {
        ids.compactMap(index(of:)).sorted()
    }

    /// Applies `operation`, and returns the id of its item, or nil if it does not fit the items.
    fileprivate mutating func apply(_ operation: LineOperation, _ coding: ItemCoding<Item>)
        -> Item.ID?
    {
        switch operation {
        case .insert(let line, let position):
            // If the line cannot be decoded, the caller reads the whole index, which keeps the
            // line as damaged.
            guard let slot = try? coding.slot(from: line), position <= count,
                !contains(id: slot.item.id)
            else { return nil }
            insert(slot, at: position)
            return slot.item.id
        case .replace(let line, let position):
            guard let slot = try? coding.slot(from: line), indices.contains(position),
                self[position].id == slot.item.id
            else { return nil }
            replace(at: position, with: slot)
            return slot.item.id
        case .remove(let position, let checksum):
            guard indices.contains(position) else { return nil }
            let slot = remove(at: position)
            return CRC32.checksum(of: slot.line) == checksum ? slot.item.id : nil
        }
    }
}
