extension Directory.Items: Equatable where Item: Equatable {
    /// Whether both have equal items in the same order.
    ///
    /// Nodes that both values share are not compared. So this is fast for states that follow each
    /// other, such as the value of an animation.
    public static func == (left: Self, right: Self) -> Bool {
        left.tree.isEqual(to: right.tree) { left, right in
            left.slot === right.slot || Slot.of(left).item == Slot.of(right).item
        }
    }
}

extension Directory.Items {
    /// Whether `other` has the same slots in the same order.
    func hasSameSlots(as other: Self) -> Bool {
        tree.isEqual(to: other.tree) { $0.slot === $1.slot }
    }
}

extension SlotTree {
    /// Whether `areEqual` is true of all entries at equal positions; it is not called for nodes
    /// that both trees share.
    func isEqual(to other: Self, by areEqual: (Entry, Entry) -> Bool) -> Bool {
        count == other.count && root.isEqual(to: other.root, by: areEqual)
    }
}

extension SlotTree.Node {
    fileprivate func isEqual(
        to other: Self, by areEqual: (SlotTree.Entry, SlotTree.Entry) -> Bool
    ) -> Bool {
        if isShared(with: other) { return true }
        guard !isLeaf, children.elementsEqual(other.children, by: { $0.count == $1.count }) else {
            return IteratorSequence(SlotTree.Iterator(self))
                .elementsEqual(IteratorSequence(SlotTree.Iterator(other)), by: areEqual)
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
