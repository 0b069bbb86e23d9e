extension Directory.Items {
    /// The items of `slots` in their order, in linear time; of slots with one id only the first.
    ///
    /// - Returns: The items, and the positions in `slots` of those that were left out.
    static func build(_ slots: [Slot]) -> (items: Self, duplicates: Set<Int>) {
        var items = Self()
        guard let labels = LabelGap(lower: nil, upper: nil).labels(slots.count) else {
            return (items, [])
        }
        var entries: ContiguousArray<SlotTree.Entry> = []
        var hashes: ContiguousArray<LabelTrie.Entry> = []
        entries.reserveCapacity(slots.count)
        hashes.reserveCapacity(slots.count)
        var label = labels.first
        for slot in slots {
            entries.append(.init(label: label, slot: slot))
            hashes.append(.init(hash: slot.item.id.hashValue, label: label))
            if slot.line == nil { items.unencoded.insert(slot.item.id) }
            label += labels.step
        }
        items.tree = SlotTree(entries)
        items.labels = LabelTrie(hashes)
        let duplicates = items.duplicates
        guard duplicates.isEmpty else {
            let unique = slots.indices.filter { !duplicates.contains($0) }.map { slots[$0] }
            return (build(unique).items, duplicates)
        }
        return (items, [])
    }

    /// The positions of items whose id stands earlier.
    private var duplicates: Set<Int> {
        var duplicates: Set<Int> = []
        labels.forEachBucket { bucket in
            for (index, entry) in bucket.enumerated() {
                for other in bucket[..<index] where other.hash == entry.hash {
                    guard let first = tree.find(Swift.min(entry.label, other.label)),
                        let second = tree.find(Swift.max(entry.label, other.label)),
                        Slot.of(first.entry).item.id == Slot.of(second.entry).item.id
                    else { continue }
                    duplicates.insert(second.position)
                }
            }
        }
        return duplicates
    }
}
