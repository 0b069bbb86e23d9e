extension Directory {
    /// The difference between two states of a collection that follow each other.
    ///
    /// Usually that is the change of one commit. A slow consumer of ``Directory/changes`` gets
    /// several commits as one change.
    ///
    /// Later versions can add properties.
    public struct Change: Sendable {
        /// Which processes made a change.
        public typealias Origin = ChangeOrigin

        /// The ids of new items, in the order of ``after``.
        public let inserted: [Item.ID]
        /// The ids of items whose JSON changed, in the order of ``after``.
        public let updated: [Item.ID]
        /// The ids of items that were removed, in the order of ``before``.
        public let removed: [Item.ID]
        /// Whether the items that are in both states have a different order.
        public var isReordered: Bool { change.isReordered }
        /// The items before the change.
        public var before: Items { Items(change.before) }
        /// The items after the change.
        public var after: Items { Items(change.after) }
        /// Which processes made the change.
        ///
        /// Several commits as one change have ``ChangeOrigin/here`` only if this process made all of
        /// them.
        public var origin: Origin { change.origin }

        let change: ElementChange

        init(_ change: ElementChange) {
            self.change = change
            inserted = change.inserted.map { $0.itemID(of: Item.self) }
            updated = change.updated.map { $0.itemID(of: Item.self) }
            removed = change.removed.map { $0.itemID(of: Item.self) }
        }

        /// Whether nothing changed.
        public var isEmpty: Bool { change.isEmpty }
    }
}
