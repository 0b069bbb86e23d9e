import JSONCodec

extension Directory.ItemDraft {
    /// The changes that others made in an item while it was edited.
    public struct Conflict: Sendable {
        /// The item as others left it; nil if they removed it.
        public let current: Item?
        /// The names of the members of its JSON object that others added, changed or removed, in
        /// the order of the index.
        public let changedMembers: [String]
    }
}

extension Directory.ItemDraft.Conflict {
    /// Nil if the newest line of the item with `id` is `line`, with sets and dictionaries in another order at most.
    init?(of id: Item.ID, in directory: Directory, since line: ArraySlice<UInt8>) {
        let element = directory.currentItems.element(of: id)
        let coding = directory.coding
        if let element, coding.areSame(line, element.line) { return nil }
        current = element?.item
        changedMembers = element.map { coding.changedMembers(from: line, to: $0.line) } ?? []
    }
}

extension Directory.Draft {
    /// Replaces the item that has the id of `item`, and returns its new line.
    ///
    /// `base` is the line that the edit began from; nil to replace any line.
    ///
    /// - Throws: ``DirectoryError`` with `itemChanged` if the item has another line than `base`.
    mutating func save(_ item: Item, editedFrom base: ArraySlice<UInt8>?) throws
        -> ArraySlice<UInt8>?
    {
        if let base, let known = items.element(of: item.id), !coding.areSame(base, known.line) {
            let members = coding.changedMembers(from: base, to: known.line)
            let detail = members.isEmpty ? "" : " in \(members.joined(separator: ", "))"
            throw DirectoryError(
                .itemChanged, "save an edit of an item of", url,
                "the item with id \(item.id) was changed\(detail) after it was read")
        }
        try update(item)
        return items.element(of: item.id)?.line
    }
}
