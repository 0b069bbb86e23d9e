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
        switch (self, other) {
        case (.leaf(let mine), .leaf(let theirs)):
            return mine.countOfPairs(with: theirs, atEnd: atEnd) { $0.element === $1.element }
        // One of two trees can be higher.
        case (.leaf, .branch(let theirs)):
            return (atEnd ? theirs.last : theirs.first)
                .map { countOfSame(as: $0.node, atEnd: atEnd) } ?? 0
        case (.branch(let mine), .leaf):
            return (atEnd ? mine.last : mine.first)
                .map { $0.node.countOfSame(as: other, atEnd: atEnd) } ?? 0
        case (.branch(let mine), .branch(let theirs)):
            var same = 0
            _ = mine.countOfPairs(with: theirs, atEnd: atEnd) { one, two in
                let inner = one.node.countOfSame(as: two.node, atEnd: atEnd)
                same += inner
                return inner == one.count && inner == two.count
            }
            return same
        }
    }
}

extension ContiguousArray {
    /// The number of pairs at the beginning, or at the end, for which `areSame` is true.
    fileprivate func countOfPairs(
        with other: Self, atEnd: Bool, _ areSame: (Element, Element) -> Bool
    ) -> Int {
        for offset in 0..<Swift.min(count, other.count) {
            let mine = atEnd ? count - 1 - offset : offset
            let theirs = atEnd ? other.count - 1 - offset : offset
            if !areSame(self[mine], other[theirs]) { return offset }
        }
        return Swift.min(count, other.count)
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
        guard case .branch(let children) = self, case .branch(let others) = other,
            children.elementsEqual(others, by: { $0.count == $1.count })
        else {
            return IteratorSequence(ElementTree.Iterator(self))
                .elementsEqual(IteratorSequence(ElementTree.Iterator(other)), by: areEqual)
        }
        return zip(children, others).allSatisfy {
            $0.node.isEqual(to: $1.node, by: areEqual)
        }
    }

    /// Whether both are unchanged copies of one node.
    func isShared(with other: Self) -> Bool {
        switch (self, other) {
        case (.leaf(let mine), .leaf(let theirs)): mine.isShared(with: theirs)
        case (.branch(let mine), .branch(let theirs)): mine.isShared(with: theirs)
        case (.leaf, .branch), (.branch, .leaf): false
        }
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
