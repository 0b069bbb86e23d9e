extension Directory {
    /// The difference between two states of a collection that follow each other.
    ///
    /// Usually that is the change of one commit. A slow consumer of ``Directory/changes`` gets
    /// several commits as one change.
    ///
    /// Later versions can add properties.
    public struct Change: Sendable {
        /// Which processes made a change.
        public enum Origin: Sendable {
            /// This process made the whole change.
            ///
            /// This includes the changes that this process completed for a process that died.
            case here
            /// Another process, or an earlier run of this one, made at least a part of the change.
            ///
            /// The change was read from disk. So the change of the first load has this origin.
            case otherProcess
        }

        /// The ids of new items, in the order of ``after``.
        public internal(set) var inserted: [Item.ID] = []
        /// The ids of items whose JSON changed, in the order of ``after``.
        public internal(set) var updated: [Item.ID] = []
        /// The ids of items that were removed, in the order of ``before``.
        public internal(set) var removed: [Item.ID] = []
        /// Whether the items that are in both states have a different order.
        public internal(set) var isReordered = false
        /// The items before the change.
        public let before: Items
        /// The items after the change.
        public let after: Items
        /// Which processes made the change.
        ///
        /// Several commits as one change have ``Origin/here`` only if this process made all of
        /// them.
        public let origin: Origin

        /// The ids of the items whose removal makes both orders equal; nil if the change was read
        /// from disk.
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
