public import Foundation

extension Directory.Draft {
    /// Sorts the items; items that `comparator` does not tell apart keep their order.
    ///
    ///     try draft.sort(using: KeyPathComparator(\.title, order: .reverse))
    public mutating func sort(using comparator: some SortComparator<Item>) {
        sort { comparator.compare($0, $1) == .orderedAscending }
    }

    private mutating func sort(by precedes: (Item, Item) -> Bool) {
        let old = Array(items)
        let order = old.indices.sorted { precedes(old[$0], old[$1]) }
        let outOfOrder = order.outOfOrder
        if !outOfOrder.isEmpty { base.reorder(order, moved: outOfOrder) }
    }
}

extension Directory.Draft where Item: Comparable {
    /// Sorts the items in ascending order; equal items keep their order.
    public mutating func sort() {
        sort(by: <)
    }
}

extension [Int] {
    /// The fewest elements without which the others ascend; no element may occur twice.
    ///
    /// After M. Fredman, "On Computing the Length of Longest Increasing Subsequences" (1975).
    var outOfOrder: [Int] {
        // Position n has the index of the least element that ends an ascending subsequence of n + 1.
        var ends: [Int] = []
        // For each element, the index of the element before it in such a subsequence.
        var previous: [Int?] = []
        previous.reserveCapacity(count)
        for (index, element) in enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < element { low = middle + 1 } else { high = middle }
            }
            previous.append(low == 0 ? nil : ends[low - 1])
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isKept = [Bool](repeating: false, count: count)
        var kept = ends.last
        while let index = kept {
            isKept[index] = true
            kept = previous[index]
        }
        return indices.filter { !isKept[$0] }.map { self[$0] }
    }
}
