extension ElementChange {
    /// The difference between two states, of which only elements of `touched` and the positions of
    /// `moved` can differ.
    ///
    /// The time does not depend on the number of elements, unless there were none before.
    convenience init(
        from before: Elements, to after: Elements, by origin: ChangeOrigin,
        touching touched: Set<ElementID>, moving moved: Set<ElementID> = []
    ) {
        if before.isEmpty {
            self.init(from: before, to: after, by: origin, inserted: after.ids)
            return
        }
        var (inserted, updated, removed): ([ElementID], [ElementID], [ElementID]) = ([], [], [])
        for id in touched {
            switch (before[id], after[id]) {
            case (nil, let new?): inserted.append(new.id)
            case (let old?, let new?): if old.line != new.line { updated.append(new.id) }
            case (let old?, nil): removed.append(old.id)
            case (nil, nil): break
            }
        }
        inserted = after.inOrder(inserted)
        updated = after.inOrder(updated)
        removed = before.inOrder(removed)
        let isReordered = Self.ranksChanged(
            of: moved, from: before, without: removed, to: after, without: inserted)
        self.init(
            from: before, to: after, by: origin, inserted: inserted, updated: updated,
            removed: removed, isReordered: isReordered,
            moved: isReordered
                ? moved.filter { before.contains($0) && after.contains($0) } : nil)
    }

    /// Whether any of `moved` has another rank: its position among the elements in both states.
    ///
    /// All other elements keep their order. So if no rank has changed, nothing was reordered.
    private static func ranksChanged(
        of moved: Set<ElementID>, from before: Elements, without removed: [ElementID],
        to after: Elements, without inserted: [ElementID]
    ) -> Bool {
        guard !moved.isEmpty else { return false }
        let removed = removed.compactMap(before.position).sorted()
        let inserted = inserted.compactMap(after.position).sorted()
        return moved.contains { id in
            guard let old = before.position(of: id), let new = after.position(of: id) else {
                return false
            }
            return old - removed.count(below: old) != new - inserted.count(below: new)
        }
    }

    /// The difference between two states that were read from disk, compared line by line.
    ///
    /// Compares both states in one pass, and looks up ids only for elements that differ.
    convenience init(from old: Elements, to new: Elements) {
        if old.isEmpty {
            self.init(from: old, to: new, by: .otherProcess, inserted: new.ids)
            return
        }
        var (inserted, updated, removed): ([ElementID], [ElementID], [ElementID]) = ([], [], [])
        var isReordered = false
        var (olds, news) = (old.makeIterator(), new.makeIterator())
        var (before, now) = (olds.next(), news.next())
        while let element = now {
            if !isReordered, let candidate = before, candidate.id != element.id {
                guard new.contains(candidate.id) else {
                    removed.append(candidate.id)
                    before = olds.next()
                    continue
                }
                isReordered = old.contains(element.id)
            }
            let isInPlace = before?.id == element.id
            if let same = isInPlace ? before : old[element.id] {
                if same.line != element.line { updated.append(element.id) }
            } else {
                inserted.append(element.id)
            }
            if isInPlace { before = olds.next() }
            now = news.next()
        }
        while let element = before {
            if !new.contains(element.id) { removed.append(element.id) }
            before = olds.next()
        }
        self.init(
            from: old, to: new, by: .otherProcess, inserted: inserted, updated: updated,
            removed: removed, isReordered: isReordered)
    }
}

extension ElementDraft {
    /// The change that the draft made in `base`.
    func change(from base: Elements) -> ElementChange { change(from: base, changes) }

    /// The change that the present one of several changes made in `before`.
    func changeOfStep(from before: Elements) -> ElementChange {
        change(from: before, step ?? Changes())
    }

    private func change(from before: Elements, _ changes: Changes) -> ElementChange {
        ElementChange(
            from: before, to: elements, by: .here, touching: changes.touched, moving: changes.moved)
    }
}

extension Elements {
    /// `ids` in the order of the elements; each must be the id of one of them.
    fileprivate func inOrder(_ ids: [ElementID]) -> [ElementID] {
        if ids.count < 2 { return ids }
        guard ids.count < count / 8 else {
            let ids = Set(ids)
            return self.ids.filter(ids.contains)
        }
        let positions = ids.compactMap { id in position(of: id).map { (position: $0, id: id) } }
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
