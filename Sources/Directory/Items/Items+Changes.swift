extension Directory.Items {
    /// Adds a slot, whose id must be new, before `position`.
    mutating func insert(_ slot: Slot, at position: Int) {
        insert(CollectionOfOne(slot), at: position)
    }

    /// Adds slots, whose ids must be new, before `position`.
    mutating func insert(_ slots: some Collection<Slot>, at position: Int) {
        var (position, remaining) = (position, slots.count)
        for slot in slots {
            let label = newLabel(at: position, of: remaining)
            tree.insert(.init(label: label, slot: slot), at: position)
            labels.insert(label, slot.item.id.hashValue)
            if slot.line == nil { unencoded?.insert(slot.item.id) }
            position += 1
            remaining -= 1
        }
    }

    /// Gives the item at `position` another value with the same id.
    mutating func replace(at position: Int, with item: Item) {
        replace(at: position, with: Slot(item: item, line: nil))
    }

    /// Gives the item at `position` another value, and perhaps line, with the same id.
    mutating func replace(at position: Int, with slot: Slot) {
        tree.replace(at: position, with: slot)
        if slot.line == nil {
            unencoded?.insert(slot.item.id)
        } else {
            unencoded?.remove(slot.item.id)
        }
    }

    /// Whether no item waits to be encoded.
    var areEncoded: Bool { unencoded?.isEmpty == true }

    /// The items that wait to be encoded, and their positions, which ascend.
    func waiting() -> (positions: [Int], slots: [Slot]) {
        if let unencoded {
            let positions = unencoded.compactMap(index(of:)).sorted()
            return (positions, positions.map(slot(at:)))
        }
        var waiting: (positions: [Int], slots: [Slot]) = ([], [])
        for (position, entry) in tree.enumerated() {
            let slot = Slot.of(entry)
            guard slot.line == nil else { continue }
            waiting.positions.append(position)
            waiting.slots.append(slot)
        }
        return waiting
    }

    /// Puts slots with lines in place of all that wait.
    mutating func encode(_ positions: [Int], as slots: [Slot]) {
        tree.replace(at: positions, with: slots)
        unencoded = []
    }

    @discardableResult
    mutating func remove(at position: Int) -> Slot {
        let entry = tree.remove(at: position)
        let slot = Slot.of(entry)
        let id = slot.item.id
        labels.replace(id.hashValue, with: nil) { $0 == entry.label }
        unencoded?.remove(id)
        return slot
    }

    /// Moves the slots at `offsets`, in order, before the slot that is now at `destination`.
    mutating func move(_ offsets: some Collection<Int>, to destination: Int) {
        let ascending = Set(offsets).sorted()
        let moved = ascending.reversed().map { remove(at: $0) }
        insert(moved.reversed(), at: destination - ascending.count { $0 < destination })
    }
}

extension Directory.Items {
    /// A label between those around `position`, the first of `count` that will go there.
    private mutating func newLabel(at position: Int, of count: Int) -> UInt64 {
        if let labels = gap(around: position..<position).labels(count) { return labels.first }
        makeRoom(at: position)
        return newLabel(at: position, of: 1)
    }

    private func gap(around positions: Range<Int>) -> LabelGap {
        LabelGap(
            lower: positions.lowerBound == 0 ? nil : tree[positions.lowerBound - 1].label,
            upper: positions.upperBound == count ? nil : tree[positions.upperBound].label)
    }

    /// Spreads the labels around `position` apart, so that others fit between.
    ///
    /// As many change as it takes to have distances in proportion to their number, which makes
    /// wide changes rare in proportion to their width.
    ///
    /// After M. Bender et al., "Two Simplified Algorithms for Maintaining Order in a List" (2002).
    private mutating func makeRoom(at position: Int) {
        var reach = 16
        while true {
            let positions = Swift.max(0, position - reach)..<Swift.min(count, position + reach)
            let new = gap(around: positions).labels(positions.count)
            if let new, new.step >= 2 * reach || positions.count == count {
                tree.relabel(positions, from: new.first, by: new.step) { entry, label in
                    let hash = Slot.of(entry).item.id.hashValue
                    labels.replace(hash, with: label) { $0 == entry.label }
                }
                return
            }
            reach *= 8
        }
    }
}

/// The numbers between two labels; nil for a neighbour that is not there.
struct LabelGap {
    let lower: UInt64?
    let upper: UInt64?

    /// How far apart labels are at an open end, so that many fit between them later.
    static let stride: UInt64 = 1 << 32

    /// `count` labels spread over the gap, nil where they do not fit.
    func labels(_ count: Int) -> (first: UInt64, step: UInt64)? {
        let count = UInt64(count)
        let (first, step): (UInt64, UInt64)
        switch (lower, upper) {
        case (let lower?, let upper?):
            step = (upper - lower) / (count + 1)
            first = lower + step
        case (let lower?, nil):
            step = min(Self.stride, (.max - lower) / count)
            first = lower + step
        case (nil, let upper?):
            step = min(Self.stride, upper / count)
            first = upper - step * count
        case (nil, nil):
            step = min(Self.stride, .max / (count + 1))
            first = 1 << 63 - step * (count / 2)
        }
        return step == 0 ? nil : (first, step)
    }
}
