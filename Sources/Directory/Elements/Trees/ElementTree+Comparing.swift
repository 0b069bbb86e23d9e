extension ElementTree {
    /// The number of elements at the beginning, or at the end, that are the same objects in both trees.
    ///
    /// Nodes that both trees share are not entered. So of two trees of which one is a changed copy of the other, only
    /// the paths to the changes are compared.
    func countOfSame(as other: Self, atEnd: Bool) -> Int {
        root.countOfSame(as: other.root, atEnd: atEnd)
    }
}

extension ElementTree.Node {
    fileprivate func countOfSame(as other: Self, atEnd: Bool) -> Int {
        if isShared(with: other) { return elementCount }
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
                guard entries[mine].element === other.entries[theirs].element else { break }
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

extension ElementTree {
    /// Whether `areEqual` is true of all entries at equal positions; it is not called for nodes
    /// that both trees share.
    func isEqual(to other: Self, by areEqual: (Entry, Entry) -> Bool) -> Bool {
        count == other.count && root.isEqual(to: other.root, by: areEqual)
    }
}

extension ElementTree.Node {
    fileprivate func isEqual(
        to other: Self, by areEqual: (ElementTree.Entry, ElementTree.Entry) -> Bool
    ) -> Bool {
        if isShared(with: other) { return true }
        guard !isLeaf, children.elementsEqual(other.children, by: { $0.count == $1.count }) else {
            return IteratorSequence(ElementTree.Iterator(self))
                .elementsEqual(IteratorSequence(ElementTree.Iterator(other)), by: areEqual)
        }
        return zip(children, other.children).allSatisfy {
            $0.node.isEqual(to: $1.node, by: areEqual)
        }
    }

    /// Whether both are unchanged copies of one node.
    func isShared(with other: Self) -> Bool {
        entries.isShared(with: other.entries) && children.isShared(with: other.children)
    }
}

extension ContiguousArray {
    /// Whether both arrays are unchanged copies of one array.
    fileprivate func isShared(with other: Self) -> Bool {
        withUnsafeBufferPointer { elements in
            other.withUnsafeBufferPointer { elements.baseAddress == $0.baseAddress }
        } && count == other.count
    }
}
