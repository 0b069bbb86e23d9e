extension Elements {
    /// Adds an element, whose id must be new, before `position`.
    mutating func insert(_ element: any IndexElement, at position: Int) {
        insert(element, at: position, of: 1)
    }

    /// Adds elements, whose ids must be new, before `position`.
    mutating func insert(_ elements: [any IndexElement], at position: Int) {
        for (number, element) in elements.enumerated() {
            insert(element, at: position + number, of: elements.count - number)
        }
    }

    /// Adds the first of `count` elements that are added between the neighbours of `position`.
    private mutating func insert(
        _ element: any IndexElement, at position: Int, of count: Int
    ) {
        let label = newLabel(at: position, of: count)
        tree.insert(.init(label: label, element: element), at: position)
        labels.insert(label, element.idHash)
    }

    /// Replaces the element at `position` by one with the same id.
    mutating func replace(at position: Int, with element: any IndexElement) {
        tree.replace(at: position, with: element)
    }

    @discardableResult
    mutating func remove(at position: Int) -> any IndexElement {
        let entry = tree.remove(at: position)
        labels.replace(entry.element.idHash, with: nil) { $0 == entry.label }
        return entry.element
    }

    /// Moves the elements at `offsets`, in order, before the element that is now at `destination`.
    mutating func move(_ offsets: some Collection<Int>, to destination: Int) {
        let ascending = Set(offsets).sorted()
        let moved = ascending.reversed().map { remove(at: $0) }
        insert(moved.reversed(), at: destination - ascending.count { $0 < destination })
    }
}

extension Elements {
    /// The first of `count` labels that are needed between the neighbours of `position`.
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

    /// Moves the labels around `position` apart, so that others fit between them.
    ///
    /// After it has changed n labels, their distance is in proportion to n. So a change of many labels happens rarely.
    ///
    /// After M. Bender et al., "Two Simplified Algorithms for Maintaining Order in a List" (2002).
    private mutating func makeRoom(at position: Int) {
        var reach = 16
        while true {
            let positions = Swift.max(0, position - reach)..<Swift.min(count, position + reach)
            let new = gap(around: positions).labels(positions.count)
            if let new, new.step >= 2 * reach || positions.count == count {
                tree.relabel(positions, from: new.first, by: new.step) { entry, label in
                    labels.replace(entry.element.idHash, with: label) { $0 == entry.label }
                }
                return
            }
            reach *= 8
        }
    }
}

/// The labels between two neighbours; nil for a missing neighbour.
struct LabelGap {
    let lower: UInt64?
    let upper: UInt64?

    /// The distance of labels at an open end; many labels fit between two of them.
    static let stride: UInt64 = 1 << 32

    /// `count` labels spread over the gap; nil if they do not fit.
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
