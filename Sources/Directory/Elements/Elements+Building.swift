extension Elements {
    /// Builds the collection of `elements` in their order, in linear time.
    ///
    /// - Returns: The collection, and the positions of the elements that are left out, because an earlier one has their
    ///   id.
    static func build(_ elements: [any IndexElement]) -> (elements: Self, duplicates: Set<Int>) {
        var built = Self()
        guard let labels = LabelGap(lower: nil, upper: nil).labels(elements.count) else {
            return (built, [])
        }
        let chunkLength = ElementTree.capacity * 512
        let chunks = concurrentMap(count: (elements.count + chunkLength - 1) / chunkLength) {
            number in
            let start = number * chunkLength
            let first = labels.first + UInt64(start) * labels.step
            return Chunk(elements[start...].prefix(chunkLength), from: first, by: labels.step)
        }
        built.tree = ElementTree(leaves: chunks.flatMap { $0.leaves })
        var hashes: ContiguousArray<HashTrie<UInt64>.Entry> = []
        for chunk in chunks { hashes += chunk.labels }
        built.labels = HashTrie(hashes)
        let duplicates = built.duplicates
        guard duplicates.isEmpty else {
            let unique = elements.indices.filter { !duplicates.contains($0) }.map { elements[$0] }
            return (build(unique).elements, duplicates)
        }
        return (built, [])
    }

    /// A run of elements from which one processor core builds leaves.
    private struct Chunk: Sendable {
        let leaves: [ElementTree.Child]
        private(set) var labels: ContiguousArray<HashTrie<UInt64>.Entry> = []

        /// Gives `elements` the labels from `label` on, `step` apart.
        init(_ elements: ArraySlice<any IndexElement>, from label: UInt64, by step: UInt64) {
            var label = label
            var entries: ContiguousArray<ElementTree.Entry> = []
            entries.reserveCapacity(elements.count)
            labels.reserveCapacity(elements.count)
            for element in elements {
                entries.append(.init(label: label, element: element))
                labels.append(.init(hash: element.idHash, value: label))
                label += step
            }
            leaves = ElementTree.leaves(entries)
        }
    }

    /// The positions of elements that have the id of an earlier one.
    private var duplicates: Set<Int> {
        var duplicates: Set<Int> = []
        labels.forEachBucket { bucket in
            for (index, entry) in bucket.enumerated() {
                for other in bucket[..<index] where other.hash == entry.hash {
                    let later = Swift.max(entry.value, other.value)
                    guard let first = tree.entry(labelled: entry.value),
                        let second = tree.entry(labelled: other.value),
                        first.element.hasID(of: second.element),
                        let position = tree.place(of: later)?.position
                    else { continue }
                    duplicates.insert(position)
                }
            }
        }
        return duplicates
    }
}
