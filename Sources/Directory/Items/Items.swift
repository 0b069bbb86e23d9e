extension Directory {
    /// The items of a collection at one moment, in order.
    ///
    /// This value never changes, costs nothing to copy, and can be read on any thread at any time.
    /// Two values share their common items, so a change costs about as much in a collection of a
    /// million items as in one of a thousand.
    public struct Items: RandomAccessCollection, Sendable {
        /// Each is an ``ItemElement`` of this type.
        var elements: Elements

        init(_ elements: Elements) { self.elements = elements }

        /// Creates a collection without items.
        public init() { self.init(Elements()) }

        /// The position of the first item: 0.
        public var startIndex: Int { 0 }
        /// The position after the last item: the count.
        public var endIndex: Int { elements.count }
        /// The item at `position`.
        public subscript(position: Int) -> Item { element(at: position).item }
        /// The item with `id`; nil if there is no such item.
        public subscript(id id: Item.ID) -> Item? { element(of: id)?.item }
        /// The position of the item with `id`; nil if there is no such item.
        public func index(of id: Item.ID) -> Int? {
            elements.position(id.hashValue) { ItemElement<Item>.of($0).item.id == id }
        }
        /// Whether there is an item with `id`.
        public func contains(id: Item.ID) -> Bool { find(id, id.hashValue) != nil }

        // Without these, generic code would move through a collection step by step.
        /// The number of items.
        public var count: Int { elements.count }
        /// The position after `position`.
        public func index(after position: Int) -> Int { position + 1 }
        /// The position before `position`.
        public func index(before position: Int) -> Int { position - 1 }
        /// Changes `position` to the next one.
        public func formIndex(after position: inout Int) { position += 1 }
    }
}

extension Directory.Items {
    func element(at position: Int) -> ItemElement<Item> { .of(elements[position]) }

    /// The element of the item with `id`; nil if there is no such item.
    func element(of id: Item.ID) -> ItemElement<Item>? { element(of: id, hash: id.hashValue) }

    /// The element of the item with `id`, whose hash value is `hash`; nil if there is no such item.
    func element(of id: Item.ID, hash: Int) -> ItemElement<Item>? {
        guard let found = find(id, hash) else { return nil }
        return .of(found.element)
    }

    private func find(_ id: Item.ID, _ hash: Int) -> ElementTree.Entry? {
        elements.find(hash) { ItemElement<Item>.of($0).item.id == id }
    }

    /// The ids in order.
    var ids: [Item.ID] {
        var ids: [Item.ID] = []
        ids.reserveCapacity(count)
        for element in elements { ids.append(ItemElement<Item>.of(element).item.id) }
        return ids
    }
}

extension Directory.Items {
    /// Visits the items from the first to the last.
    public struct Iterator: IteratorProtocol {
        private var elements: Elements.Iterator

        init(_ elements: Elements) { self.elements = elements.makeIterator() }

        /// The next item; nil after the last.
        public mutating func next() -> Item? {
            elements.next().map { ItemElement<Item>.of($0).item }
        }
    }

    /// An iterator that starts at the first item.
    public func makeIterator() -> Iterator { Iterator(elements) }
}

extension Directory.Items: CustomStringConvertible {
    /// The items, as an array describes them.
    public var description: String { Array(self).description }
}
