extension Directory.Change {
    /// The change that a draft made in `base`.
    init(from base: Directory.Items, to draft: Directory.Draft) {
        self.init(
            from: base, to: draft.items, by: .here, touching: draft.touched, moving: draft.moved)
    }

    /// The difference between two states, of which only items of `touched` and the positions of
    /// `moved` can differ.
    ///
    /// The time does not depend on the number of items, unless there were none before.
    init(
        from before: Directory.Items, to after: Directory.Items, by origin: Origin,
        touching touched: some Sequence<Item.ID>, moving moved: Set<Item.ID> = []
    ) {
        self.init(from: before, to: after, by: origin)
        if before.isEmpty {
            inserted = after.ids
            return
        }
        for id in touched {
            switch (before.slot(of: id), after.slot(of: id)) {
            case (nil, _?): inserted.append(id)
            case (let old?, let new?): if old.line != new.line { updated.append(id) }
            case (_?, nil): removed.append(id)
            case (nil, nil): break
            }
        }
        inserted = after.inOrder(inserted)
        updated = after.inOrder(updated)
        removed = before.inOrder(removed)
        isReordered = ranksChanged(of: moved, from: before, to: after)
        if isReordered {
            self.moved = moved.filter { before.contains(id: $0) && after.contains(id: $0) }
        }
    }

    /// Whether any of `moved` has another rank: its position among the items in both states.
    ///
    /// All other items keep their order. So if no rank has changed, nothing was reordered.
    private func ranksChanged(
        of moved: Set<Item.ID>, from base: Directory.Items, to items: Directory.Items
    ) -> Bool {
        guard !moved.isEmpty else { return false }
        let removed = removed.compactMap(base.index(of:)).sorted()
        let inserted = inserted.compactMap(items.index(of:)).sorted()
        return moved.contains { id in
            guard let old = base.index(of: id), let new = items.index(of: id) else { return false }
            return old - removed.count(below: old) != new - inserted.count(below: new)
        }
    }

    /// The difference between two states that were read from disk, compared line by line.
    ///
    /// Compares both states in one pass, and looks up ids only for items that differ.
    init(from old: Directory.Items, to new: Directory.Items) {
        self.init(from: old, to: new, by: .otherProcess)
        if old.isEmpty {
            inserted = new.ids
            return
        }
        var (olds, news) = (old.slots.makeIterator(), new.slots.makeIterator())
        var (before, now) = (olds.next(), news.next())
        while let slot = now {
            let id = slot.item.id
            if !isReordered, let candidate = before, candidate.item.id != id {
                guard new.contains(id: candidate.item.id) else {
                    removed.append(candidate.item.id)
                    before = olds.next()
                    continue
                }
                isReordered = old.contains(id: id)
            }
            let isInPlace = before.map { $0.item.id == id } ?? false
            if let same = isInPlace ? before : old.slot(of: id) {
                if same.line != slot.line { updated.append(id) }
            } else {
                inserted.append(id)
            }
            if isInPlace { before = olds.next() }
            now = news.next()
        }
        while let slot = before {
            if !new.contains(id: slot.item.id) { removed.append(slot.item.id) }
            before = olds.next()
        }
    }
}

extension Directory.Items {
    /// `ids` in the order of the items; each must be the id of an item.
    fileprivate func inOrder(_ ids: [Item.ID]) -> [Item.ID] {
        if ids.count < 2 { return ids }
        guard ids.count < count / 8 else {
            let ids = Set(ids)
            return slots.lazy.map(\.item.id).filter(ids.contains)
        }
        let positions = ids.compactMap { id in index(of: id).map { (position: $0, id: id) } }
        return positions.sorted { $0.position < $1.position }.map(\.id)
    }
}

extension [Int] {
    /// The number of elements less than `bound`; the elements must ascend.
    fileprivate func count(below bound: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
