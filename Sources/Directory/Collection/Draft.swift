public import Foundation

extension Directory {
    /// A copy of a collection to change, which becomes the collection when its write commits.
    ///
    /// What a draft does is visible in the draft at once, and to nobody else before the commit.
    public struct Draft: Sendable {
        /// The items as they would be after the commit.
        public internal(set) var items: Items
        var damaged: [Damaged]
        /// The ids that any method was called with, but for the first batch of an empty collection,
        /// in which everything is new.
        private(set) var touched: Set<Item.ID> = []
        /// The ids of items that were moved, or removed and added again.
        private(set) var moved: Set<Item.ID> = []
        /// The index, for messages.
        private let url: @Sendable () -> URL

        init(_ snapshot: Snapshot, url: @autoclosure @escaping @Sendable () -> URL) {
            items = snapshot.items
            damaged = snapshot.damaged
            self.url = url
        }
    }
}

extension Directory.Draft {
    /// The item with `id`, nil where there is none.
    public subscript(id id: Item.ID) -> Item? { items[id: id] }

    /// Adds `item` at the end.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken.
    public mutating func append(_ item: Item) throws {
        try insert(item, at: items.count)
    }

    /// Adds `newItems` at the end, in their order.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an id is taken.
    public mutating func append(contentsOf newItems: some Sequence<Item>) throws {
        guard items.isEmpty, touched.isEmpty else {
            for item in newItems { try append(item) }
            return
        }
        var slots: [Directory.Items.Slot] = []
        slots.reserveCapacity(newItems.underestimatedCount)
        for item in newItems { slots.append(.init(item: item, line: nil)) }
        let (built, duplicates) = Directory.Items.build(slots)
        if let duplicate = duplicates.min() { throw isTaken(slots[duplicate].item.id) }
        items = built
    }

    /// Adds `item` before the item at `index`.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `indexOutOfRange` if
    ///   the index is not one of 0 to the count.
    public mutating func insert(_ item: Item, at index: Int) throws {
        guard (0...items.count).contains(index) else {
            throw DirectoryError(
                .indexOutOfRange, "insert into", url(), "\(index) is not in 0 to \(items.count)")
        }
        guard !items.contains(id: item.id) else {
            throw isTaken(item.id)
        }
        items.insert(.init(item: item, line: nil), at: index)
        if !touched.insert(item.id).inserted { moved.insert(item.id) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is none.
    public mutating func update(_ item: Item) throws {
        items.replace(at: try position(of: item.id, "update an item of"), with: item)
        touched.insert(item.id)
    }

    /// Changes the item with `id` in place; its id must stay the same.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is none, `duplicateID` if the
    ///   closure changes the id; and what the closure throws, in which case nothing changes.
    public mutating func update(id: Item.ID, _ change: (inout Item) throws -> Void) throws {
        var item = items[try position(of: id, "update an item of")]
        try change(&item)
        guard item.id == id else {
            throw DirectoryError(
                .duplicateID, "update an item of", url(), "the id \(id) became \(item.id)")
        }
        try update(item)
    }

    /// Removes the item with `id`, its folder if it is a container, its file if it is an asset.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if there is none.
    public mutating func remove(id: Item.ID) throws {
        let position = try position(of: id, "remove an item of")
        let previous = position == 0 ? nil : items[position - 1].id
        // To the end, because they come after those that follow the previous item already.
        let following = damaged.filter { $0.predecessor == id }
        damaged.removeAll { $0.predecessor == id }
        for var element in following {
            element.predecessor = previous
            damaged.append(element)
        }
        items.remove(at: position)
        touched.insert(id)
    }

    /// Moves the items at `source` before the item that is now at `destination`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is not one of an item,
    ///   or the destination not one of 0 to the count.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        guard source.allSatisfy(items.indices.contains), (0...items.count).contains(destination)
        else {
            throw DirectoryError(
                .indexOutOfRange, "move items of", url(),
                "\(source.map(\.self)) to \(destination) is not in 0 to \(items.count)")
        }
        moved.formUnion(source.map { items[$0].id })
        items.move(source, to: destination)
    }

    private func isTaken(_ id: Item.ID) -> DirectoryError {
        DirectoryError(.duplicateID, "add to", url(), "the id \(id) is taken")
    }

    private func position(of id: Item.ID, _ operation: String) throws -> Int {
        guard let position = items.index(of: id) else {
            throw DirectoryError(.itemNotFound, operation, url(), "it holds no item with id \(id)")
        }
        return position
    }
}

extension Directory.Draft where Item: Comparable {
    /// Adds `item` where the ascending order of the collection has its place, after its equals.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken.
    public mutating func insert(_ item: Item) throws {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if item < items[middle] { high = middle } else { low = middle + 1 }
        }
        try insert(item, at: low)
    }
}
