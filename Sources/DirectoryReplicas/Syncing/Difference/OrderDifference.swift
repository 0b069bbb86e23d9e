/// Gives positions to the items of a collection that were moved or added here.
struct OrderDifference {
    private let look: CollectionLook
    private let base: Base
    private let state: MergeState

    init(_ look: CollectionLook, _ base: Base, _ state: MergeState) {
        (self.look, self.base, self.state) = (look, base, state)
    }

    /// The positions of the items in the part that differs, and whether they are new.
    ///
    /// As few items as possible get new ones.
    func positions(using random: inout some RandomNumberGenerator)
        -> [ItemKey: (Position, isNew: Bool)]
    {
        let keys = look.items.map(\.key)
        if let known = positionsOfOthers(keys) { return known }
        let (first, last) = bounds
        var positions = kept(keys, first, last)
        var start = 0
        var lower = first
        while start < keys.count {
            if let position = positions[keys[start]] {
                lower = position.0
                start += 1
                continue
            }
            let end = keys[start...].firstIndex { positions[$0] != nil } ?? keys.endIndex
            let upper = end < keys.endIndex ? positions[keys[end]]?.0 : last
            let run = Position.run(
                between: lower, and: upper, count: end - start, using: &random)
            for (key, position) in zip(keys[start..<end], run) { positions[key] = (position, true) }
            start = end
        }
        return positions
    }

    /// The positions of the items before and behind the part that differs; nil at the ends.
    private var bounds: (Position?, Position?) {
        let order = base.orders[look.collection] ?? []
        func position(_ index: Int) -> Position? {
            order.indices.contains(index) ? shown(order[index])?.position : nil
        }
        let (lower, upper) = (position(look.range.lowerBound - 1), position(look.range.upperBound))
        // Equal ones leave no room, so the upper one is passed.
        if let lower, let upper, upper <= lower { return (lower, nil) }
        return (lower, upper)
    }

    private func shown(_ key: ItemKey) -> ShownItem? {
        base[ItemReference(look.collection.kind, key)]
    }

    /// The positions that the state has, if they give this very order: then an import was interrupted here.
    private func positionsOfOthers(_ keys: [ItemKey]) -> [ItemKey: (Position, isNew: Bool)]? {
        var positions: [ItemKey: (Position, isNew: Bool)] = [:]
        let order = base.orders[look.collection] ?? []
        // The items around the part that differs can have other positions in the state than in the base.
        var last = order[..<look.range.lowerBound].last.flatMap {
            positionOfOthers($0) ?? shown($0)?.position
        }
        for key in keys {
            guard let position = positionOfOthers(key), last.map({ $0 < position }) ?? true
            else { return nil }
            positions[key] = (position, false)
            last = position
        }
        let end = order[look.range.upperBound...].first.flatMap {
            positionOfOthers($0) ?? shown($0)?.position
        }
        if let last, let end, end <= last { return nil }
        return positions
    }

    /// The position that the state gives to an item; nil if the item was removed, or has none.
    private func positionOfOthers(_ key: ItemKey) -> Position? {
        let item = ItemReference(look.collection.kind, key)
        return state.isAlive(item) ? state[item]?.position(state.rules)?.value : nil
    }

    /// The items that keep their positions: the longest part of them that is in the old order.
    private func kept(_ keys: [ItemKey], _ first: Position?, _ end: Position?)
        -> [ItemKey: (Position, isNew: Bool)]
    {
        var ranks: [ItemKey: Int] = [:]
        for (rank, key) in (base.orders[look.collection]?[look.range] ?? []).enumerated() {
            ranks[key] = rank
        }
        let known = keys.filter { key in
            ranks[key] != nil && shown(key)?.container == look.collection.container
        }
        var positions: [ItemKey: (Position, isNew: Bool)] = [:]
        var last = first
        for index in known.compactMap({ ranks[$0] }).longestAscending {
            // Equal positions cannot be bounds.
            guard let position = shown(known[index])?.position, last.map({ $0 < position }) ?? true,
                end.map({ position < $0 }) ?? true
            else { continue }
            positions[known[index]] = (position, false)
            last = position
        }
        return positions
    }
}

extension [Int] {
    /// The indices of a longest ascending part of these numbers, which differ.
    var longestAscending: [Int] {
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, number) in enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = []
        var next = ends.last
        while let index = next {
            result.append(index)
            next = before[index]
        }
        return result.reversed()
    }
}
