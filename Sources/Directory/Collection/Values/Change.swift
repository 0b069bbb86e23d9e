extension Directory {
    /// What a commit changed.
    ///
    /// Later versions can add properties.
    public struct Change: Sendable {
        /// The ids of new items.
        public internal(set) var inserted: [Item.ID] = []
        /// The ids of items that were updated.
        public internal(set) var updated: [Item.ID] = []
        /// The ids of items that were removed.
        public internal(set) var removed: [Item.ID] = []
        /// Whether the items that are in both states have another order.
        public internal(set) var isReordered = false

        /// Whether nothing changed.
        public var isEmpty: Bool {
            inserted.isEmpty && updated.isEmpty && removed.isEmpty && !isReordered
        }
    }
}
