extension Directory {
    /// What differs between two states of a collection that follow each other.
    ///
    /// Usually that is what one commit changed. A consumer of ``Directory/changes`` that is slow gets
    /// several commits as one change.
    ///
    /// Later versions can add properties.
    public struct Change: Sendable {
        /// Which processes made a change.
        public enum Origin: Sendable {
            /// This process made all of it.
            ///
            /// This includes what this process finished for another one that died.
            case here
            /// Another process made some of it, or an earlier run of this one.
            ///
            /// It was read from disk. So the change of the first load has this origin.
            case otherProcess
        }

        /// The ids of new items, in the order of ``after``.
        public internal(set) var inserted: [Item.ID] = []
        /// The ids of items whose JSON changed, in the order of ``after``.
        public internal(set) var updated: [Item.ID] = []
        /// The ids of items that were removed, in the order of ``before``.
        public internal(set) var removed: [Item.ID] = []
        /// Whether the items that are in both states have another order.
        public internal(set) var isReordered = false
        /// The items before the change.
        public let before: Items
        /// The items after the change.
        public let after: Items
        /// Which processes made the change.
        ///
        /// A change made of several commits is of ``Origin/here`` only if all of them are.
        public let origin: Origin

        /// The ids of items, without which the others have the same order in both states, if these are
        /// known; they are not, if the change was read from disk.
        var moved: Set<Item.ID>?

        /// No change, unless the properties are set.
        init(from before: Items, to after: Items, by origin: Origin) {
            self.before = before
            self.after = after
            self.origin = origin
        }

        /// Whether nothing changed.
        public var isEmpty: Bool {
            inserted.isEmpty && updated.isEmpty && removed.isEmpty && !isReordered
        }
    }
}
