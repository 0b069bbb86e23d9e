extension Directory.Items: Equatable where Item: Equatable {
    /// Whether both have equal items in the same order.
    ///
    /// Nodes that both values share are not compared. So this is fast for states that follow each
    /// other, such as the value of an animation.
    public static func == (left: Self, right: Self) -> Bool {
        left.elements.tree.isEqual(to: right.elements.tree) { left, right in
            left.element === right.element
                || ItemElement<Item>.of(left.element).item
                    == ItemElement<Item>.of(right.element).item
        }
    }
}
