extension Directory {
    /// The items of a collection at one moment, in order.
    ///
    /// A snapshot never changes, costs nothing to take, and can be read on any thread for as long
    /// as you like.
    public struct Items: RandomAccessCollection, Sendable {
        /// An item and the JSON it has in the index; none while it waits to be encoded.
        struct Slot: Sendable {
            var item: Item
            var line: ArraySlice<UInt8>?
        }

        private(set) var slots: [Slot] = []
        private var positions: [Item.ID: Int] = [:]

        /// Creates an empty snapshot.
        public init() {}

        /// The position of the first item: 0.
        public var startIndex: Int { 0 }
        /// The position after the last item: the count.
        public var endIndex: Int { slots.count }
        /// The item at `position`.
        public subscript(position: Int) -> Item { slots[position].item }
        /// The item with `id`, nil where there is none.
        public subscript(id id: Item.ID) -> Item? { positions[id].map { slots[$0].item } }
        /// The position of the item with `id`, nil where there is none.
        public func index(of id: Item.ID) -> Int? { positions[id] }
        /// Whether there is an item with `id`.
        public func contains(id: Item.ID) -> Bool { positions[id] != nil }
    }
}

extension Directory.Items {
    /// Adds a slot, whose id must be new, before `position`.
    mutating func insert(_ slot: Slot, at position: Int) {
        slots.insert(slot, at: position)
        renumber(from: position)
    }

    /// Gives the item at `position` another value with the same id.
    mutating func replace(at position: Int, with item: Item) {
        slots[position] = Slot(item: item, line: nil)
    }

    /// Keeps the JSON of the item at `position`.
    mutating func setLine(_ line: ArraySlice<UInt8>, at position: Int) {
        slots[position].line = line
    }

    mutating func remove(at position: Int) {
        let slot = slots.remove(at: position)
        positions[slot.item.id] = nil
        renumber(from: position)
    }

    /// Moves the slots at `offsets`, in order, before the slot that is now at `destination`.
    mutating func move(_ offsets: some Collection<Int>, to destination: Int) {
        let chosen = Set(offsets)
        let moved = slots.indices.filter(chosen.contains).map { slots[$0] }
        let before = slots.indices.filter { $0 < destination && !chosen.contains($0) }
        let after = slots.indices.filter { $0 >= destination && !chosen.contains($0) }
        slots = before.map { slots[$0] } + moved + after.map { slots[$0] }
        renumber(from: 0)
    }

    private mutating func renumber(from start: Int) {
        for position in start..<slots.count { positions[slots[position].item.id] = position }
    }
}
