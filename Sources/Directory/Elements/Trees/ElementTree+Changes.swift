extension ElementTree {
    /// Creates a tree of `leaves`, whose labels ascend; all but the last leaf must be full.
    init(leaves: [Child]) {
        count = leaves.reduce(0) { $0 + $1.count }
        var level = leaves
        while level.count > 1 {
            level = Self.chunks(ContiguousArray(level)).map { Child(.branch($0)) }
        }
        if let top = level.first { root = top.node }
        assertInvariants(try checkInvariants())
    }

    /// Divides `entries` into leaves; all but the last are full.
    static func leaves(_ entries: ContiguousArray<Entry>) -> [Child] {
        chunks(entries).map { Child(.leaf($0)) }
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
            root = .branch([Child(root), Child(right)])
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
        while case .branch(let children) = root, children.count < 2 {
            root = children.first?.node ?? .leaf([])
        }
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
    var firstLabel: UInt64 {
        switch self {
        case .leaf(let entries): entries[0].label
        case .branch(let children): children[0].label
        }
    }

    /// The number of elements below this node.
    var elementCount: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .branch(let children): children.reduce(0) { $0 + $1.count }
        }
    }

    /// Leaves an empty leaf, so that the contents of this node can be changed without a copy.
    private mutating func take() -> Self {
        defer { self = .leaf([]) }
        return self
    }

    /// Inserts `entry`, and returns the right part if the node was split.
    fileprivate mutating func insert(_ entry: ElementTree.Entry, at position: Int) -> Self? {
        switch take() {
        case .leaf(var entries):
            entries.insert(entry, at: position)
            let right = entries.splitOff(after: position)
            self = .leaf(entries)
            return right.map(Self.leaf)
        case .branch(var children):
            var position = position
            let index = children.index(at: &position)
            var split: ContiguousArray<ElementTree.Child>?
            if let right = children[index].node.insert(entry, at: position) {
                children[index] = ElementTree.Child(children[index].node)
                children.insert(ElementTree.Child(right), at: index + 1)
                children.mergeIfNarrow(index + 1)
                split = children.splitOff(after: index + 1)
            } else {
                children[index].count += 1
                children[index].label = children[index].node.firstLabel
            }
            self = .branch(children)
            return split.map(Self.branch)
        }
    }

    fileprivate mutating func replace(at position: Int, with element: any IndexElement) {
        switch take() {
        case .leaf(var entries):
            entries[position].element = element
            self = .leaf(entries)
        case .branch(var children):
            var position = position
            let index = children.index(at: &position)
            children[index].node.replace(at: position, with: element)
            self = .branch(children)
        }
    }

    fileprivate mutating func remove(at position: Int) -> ElementTree.Entry {
        switch take() {
        case .leaf(var entries):
            defer { self = .leaf(entries) }
            return entries.remove(at: position)
        case .branch(var children):
            var position = position
            let index = children.index(at: &position)
            let removed = children[index].node.remove(at: position)
            children[index].count -= 1
            if children[index].count == 0 {
                children.remove(at: index)
            } else {
                children[index].label = children[index].node.firstLabel
                children.mergeIfNarrow(index)
                children.mergeIfNarrow(index - 1)
            }
            self = .branch(children)
            return removed
        }
    }

    /// Changes the entries at `positions`; the first entry of this node has the position `start`.
    fileprivate mutating func relabel(
        _ positions: Range<Int>, from start: Int, _ change: (inout ElementTree.Entry, Int) -> Void
    ) {
        switch take() {
        case .leaf(var entries):
            for index in entries.indices where positions.contains(start + index) {
                change(&entries[index], start + index)
            }
            self = .leaf(entries)
        case .branch(var children):
            var start = start
            for index in children.indices {
                let end = start + children[index].count
                if positions.overlaps(start..<end) {
                    children[index].node.relabel(positions, from: start, change)
                    children[index].label = children[index].node.firstLabel
                }
                start = end
            }
            self = .branch(children)
        }
    }
}

extension ContiguousArray {
    /// Removes the right part of a node that has become too wide by an insertion at `index`, and returns it; nil if the
    /// node is not too wide.
    ///
    /// After an insertion at the end, more are likely to follow there, so the left part stays full.
    fileprivate mutating func splitOff(after index: Int) -> Self? {
        guard count > ElementTree.capacity else { return nil }
        let split = index == count - 1 ? index : count / 2
        defer { self = Self(self[..<split]) }
        return Self(self[split...])
    }
}

extension ContiguousArray<ElementTree.Child> {
    /// Merges the child at `index` with the next one if both together are narrow.
    fileprivate mutating func mergeIfNarrow(_ index: Int) {
        guard index >= 0, index + 1 < count,
            self[index].node.width + self[index + 1].node.width <= ElementTree.mergeWidth
        else { return }
        let next = remove(at: index + 1)
        switch (self[index].node, next.node) {
        case (.leaf(let entries), .leaf(let more)): self[index].node = .leaf(entries + more)
        case (.branch(let children), .branch(let more)):
            var joined = children + more
            joined.mergeIfNarrow(children.count - 1)
            self[index].node = .branch(joined)
        // All leaves are at one depth.
        case (.leaf, .branch), (.branch, .leaf): return
        }
        self[index].count += next.count
    }
}
