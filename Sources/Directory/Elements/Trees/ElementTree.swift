/// A sequence of elements, as a persistent counted B+ tree.
///
/// Copies of a tree share nodes. A change copies only the shared nodes on one path.
///
/// Each element has a label, a number that grows with the position. The label leads to the element and
/// its position, also after other changes have moved it.
///
/// Invariants:
/// - All leaves are at one depth.
/// - Labels ascend. Two may be equal only in a tree whose labels are never looked up.
/// - A child has the label of its first element, and the count of its elements.
/// - Only a root can be empty, and a root that is a branch has several children.
/// - No node is wider than ``capacity``, and two adjacent siblings are together wider than
///   ``mergeWidth``. So the depth is bounded, although an append leaves full nodes behind.
///
/// After R. Bayer, E. McCreight, "Organization and Maintenance of Large Ordered Indexes" (1972),
/// and, for the labels, P. Dietz, D. Sleator, "Two Algorithms for Maintaining Order in a List"
/// (1987).
struct ElementTree: Sendable {
    struct Entry: Sendable {
        var label: UInt64
        var element: any IndexElement
    }

    /// One reference: a change copies the entries or the children of each node on its path.
    enum Node: Sendable {
        case leaf(ContiguousArray<Entry>)
        case branch(ContiguousArray<Child>)
    }

    struct Child: Sendable {
        var label: UInt64
        var count: Int
        var node: Node
    }

    var root = Node.leaf([])
    var count = 0

    /// The largest width of a node.
    ///
    /// It is small, because a change copies nodes, and a copy retains everything that its node
    /// refers to.
    static let capacity = 16
    static let mergeWidth = capacity / 2
}

extension ElementTree {
    /// The entry at `position`.
    subscript(position: Int) -> Entry {
        precondition(position >= 0 && position < count, "Index out of range")
        return root.entry(at: position)
    }

    /// The entry with `label`; nil if there is none.
    func entry(labelled label: UInt64) -> Entry? { root.entry(labelled: label) }

    /// The entry with `label` and its position; nil if there is none.
    func place(of label: UInt64) -> (position: Int, entry: Entry)? {
        root.place(of: label, from: 0)
    }
}

extension ElementTree.Node {
    /// The number of entries or children.
    var width: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .branch(let children): children.count
        }
    }

    func entry(at position: Int) -> ElementTree.Entry {
        switch self {
        case .leaf(let entries): return entries[position]
        case .branch(let children):
            var position = position
            return children[children.index(at: &position)].node.entry(at: position)
        }
    }

    // These call themselves: a loop would retain and release the node of each level.

    fileprivate func entry(labelled label: UInt64) -> ElementTree.Entry? {
        switch self {
        case .leaf(let entries):
            let index = entries.lastIndex(upTo: label, \.label)
            return index >= 0 && entries[index].label == label ? entries[index] : nil
        case .branch(let children):
            let index = Swift.max(0, children.lastIndex(upTo: label, \.label))
            return children[index].node.entry(labelled: label)
        }
    }

    /// The entry with `label` and its position, if the first entry is at `position`.
    fileprivate func place(of label: UInt64, from position: Int) -> (
        position: Int, entry: ElementTree.Entry
    )? {
        switch self {
        case .leaf(let entries):
            let index = entries.lastIndex(upTo: label, \.label)
            guard index >= 0, entries[index].label == label else { return nil }
            return (position + index, entries[index])
        case .branch(let children):
            let index = Swift.max(0, children.lastIndex(upTo: label, \.label))
            var position = position
            for before in 0..<index { position += children[before].count }
            return children[index].node.place(of: label, from: position)
        }
    }
}

extension ContiguousArray<ElementTree.Child> {
    /// The index of the child with the element at `position`, or of the last child if `position` is
    /// the end.
    ///
    /// Subtracts the number of elements before that child from `position`.
    func index(at position: inout Int) -> Int {
        var index = 0
        while index < count - 1, position >= self[index].count {
            position -= self[index].count
            index += 1
        }
        return index
    }
}

extension ElementTree: Sequence {
    /// Visits the entries from the first to the last.
    struct Iterator: IteratorProtocol {
        private var path: [(children: ContiguousArray<Child>, next: Int)] = []
        private var leaf: ContiguousArray<Entry> = []
        private var position = 0

        init(_ root: Node) {
            descend(to: root)
        }

        mutating func next() -> Entry? {
            if position == leaf.count, !advance() { return nil }
            defer { position += 1 }
            return leaf[position]
        }

        private mutating func descend(to node: Node) {
            var node = node
            while case .branch(let children) = node {
                path.append((children, 1))
                node = children[0].node
            }
            guard case .leaf(let entries) = node else { return }
            (leaf, position) = (entries, 0)
        }

        private mutating func advance() -> Bool {
            while let (children, next) = path.popLast() {
                guard next < children.count else { continue }
                path.append((children, next + 1))
                descend(to: children[next].node)
                return true
            }
            return false
        }
    }

    var underestimatedCount: Int { count }
    func makeIterator() -> Iterator { Iterator(root) }
}

extension ContiguousArray {
    /// The index of the last part whose label is at most `bound`, or -1; labels must ascend.
    fileprivate func lastIndex(upTo bound: UInt64, _ label: (Element) -> UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if label(self[middle]) <= bound { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
