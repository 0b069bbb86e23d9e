extension Directory {
    /// The items of a collection at one moment, in order.
    ///
    /// This value never changes, costs nothing to copy, and can be read on any thread at any time.
    /// Two values share their common items, so a change costs about as much in a collection of a
    /// million items as in one of a thousand.
    public struct Items: RandomAccessCollection, Sendable {
        /// An item and its line: its JSON in the index.
        ///
        /// It is a class, so that sharing an item costs one reference, whatever its size.
        final class Slot: Sendable {
            let item: Item
            let line: ArraySlice<UInt8>

            init(item: Item, line: ArraySlice<UInt8>) {
                self.item = item
                self.line = line
            }

            /// The slot of an entry of `tree`; every entry of `tree` has such a slot.
            @inline(__always)
            static func of(_ entry: SlotTree.Entry) -> Slot {
                unsafeDowncast(entry.slot, to: Slot.self)
            }
        }

        var tree = SlotTree()
        /// The labels of the slots, by the hash of their ids.
        var labels = HashTrie<UInt64>()

        /// Creates a collection without items.
        public init() {}

        /// The position of the first item: 0.
        public var startIndex: Int { 0 }
        /// The position after the last item: the count.
        public var endIndex: Int { tree.count }
        /// The item at `position`.
        public subscript(position: Int) -> Item { Slot.of(tree[position]).item }
        /// The item with `id`; nil if there is no such item.
        public subscript(id id: Item.ID) -> Item? { slot(of: id)?.item }
        /// The position of the item with `id`; nil if there is no such item.
        public func index(of id: Item.ID) -> Int? {
            label(of: id).flatMap { tree.position(of: $0) }
        }
        /// Whether there is an item with `id`.
        public func contains(id: Item.ID) -> Bool { label(of: id) != nil }

        // Without these, generic code would move through a collection step by step.
        /// The number of items.
        public var count: Int { tree.count }
        /// The position after `position`.
        public func index(after position: Int) -> Int { position + 1 }
        /// The position before `position`.
        public func index(before position: Int) -> Int { position - 1 }
        /// Changes `position` to the next one.
        public func formIndex(after position: inout Int) { position += 1 }
    }
}

extension Directory.Items {
    /// The slots in order.
    var slots: some Sequence<Slot> { tree.lazy.map { Slot.of($0) } }

    func slot(at position: Int) -> Slot { Slot.of(tree[position]) }

    /// The slot of the item with `id`; nil if there is no such item.
    func slot(of id: Item.ID) -> Slot? { find(id)?.slot }

    private func label(of id: Item.ID) -> UInt64? { find(id)?.label }

    private func find(_ id: Item.ID) -> (label: UInt64, slot: Slot)? {
        var found: (label: UInt64, slot: Slot)?
        labels.forEach(id.hashValue) { label in
            guard let entry = tree.entry(labelled: label) else { return true }
            let slot = Slot.of(entry)
            if slot.item.id == id { found = (label, slot) }
            return found == nil
        }
        return found
    }

    /// The ids in order.
    var ids: [Item.ID] {
        var ids: [Item.ID] = []
        ids.reserveCapacity(count)
        for entry in tree { ids.append(Slot.of(entry).item.id) }
        return ids
    }
}

extension Directory.Items {
    /// Visits the items from the first to the last.
    public struct Iterator: IteratorProtocol {
        private var entries: SlotTree.Iterator

        init(_ items: Directory.Items) {
            entries = items.tree.makeIterator()
        }

        /// The next item; nil after the last.
        public mutating func next() -> Item? {
            guard let entry = entries.next() else { return nil }
            return Slot.of(entry).item
        }
    }

    /// An iterator that starts at the first item.
    public func makeIterator() -> Iterator { Iterator(self) }
}

extension Directory.Items: CustomStringConvertible {
    /// The items, as an array describes them.
    public var description: String { Array(self).description }
}
