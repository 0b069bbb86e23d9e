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
        try InvariantViolation.require(
            root.children.count != 1, "a root that is a branch has several children")
        try InvariantViolation.require(
            count == root.elementCount, "the tree has the count of its elements")
    }
}

extension ElementTree.Node {
    /// Checks this node and those below, and returns the number of levels.
    @discardableResult
    fileprivate func checkSubtree() throws(InvariantViolation) -> Int {
        try check(0..<width)
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
        let index = isLeaf ? position : child(at: &position)
        try check(max(0, index - 1)..<min(index + 2, width))
        if !isLeaf { try children[index].node.checkPath(to: position) }
    }

    /// Checks this node, and its data about the entries or children in `range`.
    private func check(_ range: Range<Int>) throws(InvariantViolation) {
        try InvariantViolation.require(
            entries.isEmpty || children.isEmpty, "a node has entries or children, not both")
        try InvariantViolation.require(
            width <= ElementTree.capacity, "no node is wider than \(ElementTree.capacity)")
        for index in range.dropFirst() {
            let labels =
                isLeaf
                ? (entries[index - 1].label, entries[index].label)
                : (children[index - 1].label, children[index].label)
            try InvariantViolation.require(labels.0 <= labels.1, "labels ascend in a node")
        }
        if !isLeaf { try checkChildren(range) }
    }

    private func checkChildren(_ range: Range<Int>) throws(InvariantViolation) {
        for child in children[range] {
            try InvariantViolation.require(child.node.width > 0, "no child is empty")
            try InvariantViolation.require(
                child.label == child.node.firstLabel, "a child has the label of its first element")
            try InvariantViolation.require(
                child.count == child.node.elementCount, "a child has the count of its elements")
        }
        for index in range.dropFirst() {
            try InvariantViolation.require(
                children[index - 1].node.width + children[index].node.width
                    > ElementTree.mergeWidth,
                "adjacent siblings are together wider than \(ElementTree.mergeWidth)")
        }
    }

    private var lastLabel: UInt64 {
        entries.last?.label ?? children.last?.node.lastLabel ?? 0
    }
}
