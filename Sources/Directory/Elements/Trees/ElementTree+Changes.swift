extension ElementTree {
    /// Creates a tree of `leaves`, whose labels ascend; all but the last leaf must be full.
    init(leaves: [Child]) {
        count = leaves.reduce(0) { $0 + $1.count }
        var level = leaves
        while level.count > 1 {
            level = Self.chunks(ContiguousArray(level)).map { Child(Node(children: $0)) }
        }
        if let top = level.first { root = top.node }
        assertInvariants(try checkInvariants())
    }

    /// Divides `entries` into leaves; all but the last are full.
    static func leaves(_ entries: ContiguousArray<Entry>) -> [Child] {
        chunks(entries).map { Child(Node(entries: $0)) }
    }

    private static func chunks<Part>(_ whole: ContiguousArray<Part>) -> [ContiguousArray<Part>] {
        stride(from: 0, to: whole.count, by: capacity).map { start in
            ContiguousArray(whole[start..<Swift.min(start + capacity, whole.count)])
        }
    }

    /// Inserts `entry` before `position`; its label must be between those of its neighbours.
    mutating func insert(_ entry: Entry, at position: Int) {
        count += 1
        if let right = root.insert(entry, at: position) {
            root = Node(children: [Child(root), Child(right)])
        }
        assertInvariants(try checkInvariants(at: position))
    }

    mutating func replace(at position: Int, with element: any IndexElement) {
        precondition(position >= 0 && position < count, "Index out of range")
        root.replace(at: position, with: element)
    }

    mutating func remove(at position: Int) -> Entry {
        precondition(position >= 0 && position < count, "Index out of range")
        count -= 1
        let removed = root.remove(at: position)
        while root.children.count == 1 { root = root.children[0].node }
        assertInvariants(try checkInvariants(at: position))
        return removed
    }

    /// Gives the elements at `positions` labels from `label` on, `step` apart.
    ///
    /// Calls `changed` with each old entry and its new label.
    mutating func relabel(
        _ positions: Range<Int>, from label: UInt64, by step: UInt64,
        _ changed: (Entry, UInt64) -> Void
    ) {
        root.relabel(positions, from: 0) { entry, position in
            let new = label + UInt64(position - positions.lowerBound) * step
            changed(entry, new)
            entry.label = new
        }
        assertInvariants(try checkInvariants(at: positions.lowerBound))
        assertInvariants(try checkInvariants(at: positions.upperBound))
    }
}

extension ElementTree.Child {
    init(_ node: ElementTree.Node) {
        self.node = node
        label = node.firstLabel
        count = node.elementCount
    }
}

extension ElementTree.Node {
    /// The label of the first element; the node must not be empty.
    var firstLabel: UInt64 { isLeaf ? entries[0].label : children[0].label }
    /// The number of elements below this node.
    var elementCount: Int { isLeaf ? entries.count : children.reduce(0) { $0 + $1.count } }

    /// Inserts `entry`, and returns the right part if the node was split.
    fileprivate mutating func insert(_ entry: ElementTree.Entry, at position: Int) -> Self? {
        if isLeaf {
            entries.insert(entry, at: position)
            guard let split = splitIndex(after: position) else { return nil }
            defer { entries = ContiguousArray(entries[..<split]) }
            return Self(entries: ContiguousArray(entries[split...]))
        }
        var position = position
        let index = child(at: &position)
        let right = children[index].node.insert(entry, at: position)
        guard let right else {
            children[index].count += 1
            children[index].label = children[index].node.firstLabel
            return nil
        }
        children[index] = ElementTree.Child(children[index].node)
        children.insert(ElementTree.Child(right), at: index + 1)
        mergeIfNarrow(index + 1)
        guard let split = splitIndex(after: index + 1) else { return nil }
        defer { children = ContiguousArray(children[..<split]) }
        return Self(children: ContiguousArray(children[split...]))
    }

    /// The index at which to split the node after an insertion at `index`; nil if it is not too
    /// wide.
    ///
    /// After an insertion at the end, more are likely to follow there, so the left part stays full.
    private func splitIndex(after index: Int) -> Int? {
        guard width > ElementTree.capacity else { return nil }
        return index == width - 1 ? index : width / 2
    }

    fileprivate mutating func replace(at position: Int, with element: any IndexElement) {
        guard !isLeaf else {
            entries[position].element = element
            return
        }
        var position = position
        let index = child(at: &position)
        children[index].node.replace(at: position, with: element)
    }

    fileprivate mutating func remove(at position: Int) -> ElementTree.Entry {
        if isLeaf { return entries.remove(at: position) }
        var position = position
        let index = child(at: &position)
        let removed = children[index].node.remove(at: position)
        children[index].count -= 1
        if children[index].count == 0 {
            children.remove(at: index)
        } else {
            children[index].label = children[index].node.firstLabel
            mergeIfNarrow(index)
            mergeIfNarrow(index - 1)
        }
        return removed
    }

    /// Merges the child at `index` with the next one if both together are narrow.
    private mutating func mergeIfNarrow(_ index: Int) {
        guard index >= 0, index + 1 < children.count,
            children[index].node.width + children[index + 1].node.width <= ElementTree.mergeWidth
        else { return }
        let next = children.remove(at: index + 1)
        let seam = children[index].node.children.count - 1
        children[index].count += next.count
        children[index].node.entries += next.node.entries
        children[index].node.children += next.node.children
        children[index].node.mergeIfNarrow(seam)
    }

    /// Changes the entries at `positions`; the first entry of this node has the position `start`.
    fileprivate mutating func relabel(
        _ positions: Range<Int>, from start: Int, _ change: (inout ElementTree.Entry, Int) -> Void
    ) {
        for index in entries.indices where positions.contains(start + index) {
            change(&entries[index], start + index)
        }
        var start = start
        for index in children.indices {
            let end = start + children[index].count
            if positions.overlaps(start..<end) {
                children[index].node.relabel(positions, from: start, change)
                children[index].label = children[index].node.firstLabel
            }
            start = end
        }
    }
}
