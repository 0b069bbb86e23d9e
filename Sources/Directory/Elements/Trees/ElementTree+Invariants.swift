extension ElementTree {
    /// Checks every invariant, in linear time.
    func checkInvariants() throws(InvariantViolation) {
        try checkRoot()
        try root.checkSubtree()
    }

    /// Checks the nodes on the path to `position` and their neighbours, in logarithmic time.
    func checkInvariants(at position: Int) throws(InvariantViolation) {
        try checkRoot()
        try root.checkPath(to: position)
    }

    private func checkRoot() throws(InvariantViolation) {
        if case .branch(let children) = root {
            try InvariantViolation.require(
                children.count > 1, "a root that is a branch has several children")
        }
        try InvariantViolation.require(
            count == root.elementCount, "the tree has the count of its elements")
    }
}

extension ElementTree.Node {
    /// Checks this node and those below, and returns the number of levels.
    @discardableResult
    fileprivate func checkSubtree() throws(InvariantViolation) -> Int {
        try check(0..<width)
        guard case .branch(let children) = self else { return 1 }
        var depth: Int?
        for child in children {
            let childDepth = try child.node.checkSubtree()
            try InvariantViolation.require(
                childDepth == depth ?? childDepth, "all leaves are at one depth")
            depth = childDepth
        }
        for (child, next) in zip(children, children.dropFirst()) {
            try InvariantViolation.require(
                child.node.lastLabel <= next.label, "labels ascend from one child to the next")
        }
        return (depth ?? 0) + 1
    }

    fileprivate func checkPath(to position: Int) throws(InvariantViolation) {
        var position = position
        switch self {
        case .leaf: try check(max(0, position - 1)..<min(position + 2, width))
        case .branch(let children):
            let index = children.index(at: &position)
            try check(max(0, index - 1)..<min(index + 2, width))
            try children[index].node.checkPath(to: position)
        }
    }

    /// Checks this node, and its data about the entries or children in `range`.
    private func check(_ range: Range<Int>) throws(InvariantViolation) {
        try InvariantViolation.require(
            width <= ElementTree.capacity, "no node is wider than \(ElementTree.capacity)")
        for index in range.dropFirst() {
            try InvariantViolation.require(
                label(at: index - 1) <= label(at: index), "labels ascend in a node")
        }
        if case .branch(let children) = self { try children.check(range) }
    }

    private func label(at index: Int) -> UInt64 {
        switch self {
        case .leaf(let entries): entries[index].label
        case .branch(let children): children[index].label
        }
    }

    fileprivate var lastLabel: UInt64 {
        switch self {
        case .leaf(let entries): entries.last?.label ?? 0
        case .branch(let children): children.last?.node.lastLabel ?? 0
        }
    }
}

extension ContiguousArray<ElementTree.Child> {
    /// Checks the data about the children in `range`.
    fileprivate func check(_ range: Range<Int>) throws(InvariantViolation) {
        for child in self[range] {
            try InvariantViolation.require(child.node.width > 0, "no child is empty")
            try InvariantViolation.require(
                child.label == child.node.firstLabel, "a child has the label of its first element")
            try InvariantViolation.require(
                child.count == child.node.elementCount, "a child has the count of its elements")
        }
        for index in range.dropFirst() {
            try InvariantViolation.require(
                self[index - 1].node.width + self[index].node.width > ElementTree.mergeWidth,
                "adjacent siblings are together wider than \(ElementTree.mergeWidth)")
        }
    }
}
