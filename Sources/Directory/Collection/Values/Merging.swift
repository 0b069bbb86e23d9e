extension Directory {
    /// The choice for two items with one id that are not the same.
    public enum MergeChoice: Sendable {
        /// The collection keeps its item, with its folder and its file.
        case keepMine
        /// The other item replaces it, with its folder and its file.
        case takeTheirs
        /// Both stay; the associated value is the other item with another id, and other names for its folder and its
        /// file.
        case keepBoth(Item)
    }

    /// The ids of the items that a merge added, replaced and kept, and the files that it did not use.
    public struct MergeReport: Sendable {
        /// The ids of the items that were added, in the order of the collection.
        public internal(set) var added: [Item.ID] = []
        /// The ids of the items that were replaced by those of the other collection.
        public internal(set) var replaced: [Item.ID] = []
        /// The ids of the items that stayed although the other collection has a different item with
        /// the same id.
        public internal(set) var kept: [Item.ID] = []
        /// The files and folders that are no part of the other collection, by path; empty if everything is.
        ///
        /// They are those that `restore(from:progress:)` returns.
        public internal(set) var unused: [Finding] = []
    }
}
