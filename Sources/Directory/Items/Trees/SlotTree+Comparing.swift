extension SlotTree {
    /// The number of slots at the beginning, or at the end, that are the same objects in both trees.
    ///
    /// Nodes that both trees share are not entered. So of two trees of which one is a changed copy of the other, only
    /// the paths to the changes are compared.
    func countOfSame(as other: Self, atEnd: Bool) -> Int {
        root.countOfSame(as: other.root, atEnd: atEnd)
    }
}

extension SlotTree.Node {
    fileprivate func countOfSame(as other: Self, atEnd: Bool) -> Int {
        if isShared(with: other) { return slotCount }
        // One of two trees can be higher.
        if isLeaf, let next = atEnd ? other.children.last : other.children.first {
            return countOfSame(as: next.node, atEnd: atEnd)
        }
        if other.isLeaf, let next = atEnd ? children.last : children.first {
            return next.node.countOfSame(as: other, atEnd: atEnd)
        }
        var same = 0
        for offset in 0..<min(width, other.width) {
            let mine = atEnd ? width - 1 - offset : offset
            let theirs = atEnd ? other.width - 1 - offset : offset
            if isLeaf {
                guard entries[mine].slot === other.entries[theirs].slot else { break }
                same += 1
            } else {
                let (one, two) = (children[mine], other.children[theirs])
                let inner = one.node.countOfSame(as: two.node, atEnd: atEnd)
                same += inner
                guard inner == one.count, inner == two.count else { break }
            }
        }
        return same
    }
}
