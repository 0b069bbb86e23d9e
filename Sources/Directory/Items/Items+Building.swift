extension Directory.Items {
    /// Builds the items of `slots` in their order, in linear time.
    ///
    /// - Returns: The items, and the positions of the slots that are left out, because an earlier
    ///   slot has their id.
    static func build(_ slots: [Slot]) -> (items: Self, duplicates: Set<Int>) {
        var items = Self()
        guard let labels = LabelGap(lower: nil, upper: nil).labels(slots.count) else {
            return (items, [])
        }
        let chunkLength = SlotTree.capacity * 512
        let chunks = concurrentMap(count: (slots.count + chunkLength - 1) / chunkLength) { number in
            let start = number * chunkLength
            let first = labels.first + UInt64(start) * labels.step
            return Chunk(slots[start...].prefix(chunkLength), from: first, by: labels.step)
        }
        items.tree = SlotTree(leaves: chunks.flatMap { $0.leaves })
        var hashes: ContiguousArray<HashTrie<UInt64>.Entry> = []
        for chunk in chunks { hashes += chunk.labels }
        items.labels = HashTrie(hashes)
        let duplicates = items.duplicates
        guard duplicates.isEmpty else {
            let unique = slots.indices.filter { !duplicates.contains($0) }.map { slots[$0] }
            return (build(unique).items, duplicates)
        }
        return (items, [])
    }

    /// A run of slots from which one processor core builds leaves.
    private struct Chunk: Sendable {
        let leaves: [SlotTree.Child]
        private(set) var labels: ContiguousArray<HashTrie<UInt64>.Entry> = []

        /// Gives `slots` the labels from `label` on, `step` apart.
        init(_ slots: ArraySlice<Slot>, from label: UInt64, by step: UInt64) {
            var label = label
            var entries: ContiguousArray<SlotTree.Entry> = []
            entries.reserveCapacity(slots.count)
            labels.reserveCapacity(slots.count)
            for slot in slots {
                entries.append(.init(label: label, slot: slot))
                labels.append(.init(hash: slot.item.id.hashValue, value: label))
                label += step
            }
            leaves = SlotTree.leaves(entries)
        }
    }

    /// The positions of items that have the id of an earlier item.
    private var duplicates: Set<Int> {
        var duplicates: Set<Int> = []
        labels.forEachBucket { bucket in
            for (index, entry) in bucket.enumerated() {
                for other in bucket[..<index] where other.hash == entry.hash {
                    let later = Swift.max(entry.value, other.value)
                    guard let first = tree.entry(labelled: entry.value),
                        let second = tree.entry(labelled: other.value),
                        Slot.of(first).item.id == Slot.of(second).item.id,
                        let position = tree.position(of: later)
                    else { continue }
                    duplicates.insert(position)
                }
            }
        }
        return duplicates
    }
}
