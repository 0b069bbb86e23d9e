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
        var operations: [LineOperation] = []
        for position in base.items.positions(of: change.removed, kept).reversed() {
            let line = base.items.slot(at: position).line
            operations.append(.remove(at: position, checksum: CRC32.checksum(of: line)))
        }
        for position in items.positions(of: change.inserted, kept) {
            operations.append(.insert(items.slot(at: position).line, at: position))
        }
        let replaced = change.updated.filter { !kept.contains($0) }
        for position in items.positions(of: replaced) {
            operations.append(.replace(items.slot(at: position).line, at: position))
        }
        return operations
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
        next.names = names.changed(from: items, to: next.items, touched)
        let change = Directory<Item>.Change(
            from: items, to: next.items, by: .otherProcess, touching: touched, moving: moved)
        return (next, change)
    }
}

extension Directory.Items {
    /// The positions of the items with `ids` or `more`, ascending.
    fileprivate func positions(of ids: [Item.ID], _ more: Set<Item.ID> = []) -> [Int] {
        var positions: [Int] = []
        for id in ids { if let position = index(of: id) { positions.append(position) } }
        for id in more { if let position = index(of: id) { positions.append(position) } }
        positions.sort()
        return positions
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
