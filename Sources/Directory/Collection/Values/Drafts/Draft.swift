import FileSystem
public import Foundation

extension Directory {
    /// A copy of a collection that a write changes, and that becomes the collection at the commit.
    ///
    /// A change is visible in the draft at once, and to others only after the commit. Use a draft only inside the
    /// closure of its write.
    public struct Draft {
        /// The elements, and all that the commit needs to know of the change.
        var base: ElementDraft

        /// The result of `body` for the draft of elements `base`, which has such items.
        static func with<Result>(
            _ base: inout ElementDraft, _ body: (inout Self) throws -> Result
        ) rethrows -> Result {
            var draft = Self(base: base.take())
            defer { swap(&base, &draft.base) }
            return try body(&draft)
        }

        var coding: ItemCoding<Item> {
            unsafeDowncast(base.reader, to: ItemCoding<Item>.self)
        }

        /// The items as they would be after the commit.
        public var items: Items { Items(base.elements) }
    }
}

extension Directory.Draft {
    /// The item with `id`; nil if there is no such item.
    public subscript(id id: Item.ID) -> Item? { items[id: id] }

    /// Adds `item` at the end.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `invalidID` if it does
    ///   not equal itself, `unencodable` if the item cannot be encoded.
    public mutating func append(_ item: Item) throws {
        try coding.append(item, to: &base)
    }

    /// Adds `newItems` at the end, in their order; if it throws, it adds none.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if an id is taken, `invalidID` if one does not
    ///   equal itself, `unencodable` if an item cannot be encoded.
    public mutating func append(contentsOf newItems: some Sequence<Item>) throws {
        try base.append(coding.elements(of: Array(newItems)))
    }

    /// Adds `item` before the item at `index`.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `invalidID` if it does
    ///   not equal itself, `indexOutOfRange` if the index is not from 0 to the count,
    ///   `unencodable` if the item cannot be encoded.
    public mutating func insert(_ item: Item, at index: Int) throws {
        try coding.insert(item, at: index, in: &base)
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// The item keeps the fields that a newer version of the app wrote and this type does not know:
    /// see <doc:EvolvingModels>. An update that does not change the item's JSON changes nothing.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the draft has no such item,
    ///   `unencodable` if the item cannot be encoded.
    public mutating func update(_ item: Item) throws {
        try coding.update(item, in: &base)
    }

    /// Changes the item with `id` in place; its id must stay the same.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the draft has no such item,
    ///   `duplicateID` if the closure changes the id, `unencodable` if the item cannot be encoded;
    ///   or the error of the closure. Then nothing changes.
    public mutating func update(id: Item.ID, _ change: (inout Item) throws -> Void) throws {
        try coding.update(id: id, in: &base, change)
    }

    /// Replaces the item that has the id of `item`; adds `item` at the end if the draft has no such item.
    ///
    /// - Throws: ``DirectoryError`` with `invalidID` if the id does not equal itself, `unencodable` if the item cannot
    ///   be encoded, `duplicateID` if an element that cannot be decoded has the id.
    public mutating func updateOrAppend(_ item: Item) throws {
        if items.contains(id: item.id) { try update(item) } else { try append(item) }
    }

    /// Removes the item with `id`, with the folder of a container and the file of an asset.
    ///
    /// Damaged elements of the index with this id (``Directory/damagedItems``) are removed too.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the draft has no such item.
    public mutating func remove(id: Item.ID) throws {
        try coding.remove(id: id, from: &base)
    }

    /// Removes the items with `ids`, as ``remove(id:)`` does; an id that is given twice counts
    /// once.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if an id belongs to no item; then nothing
    ///   is removed.
    public mutating func remove(ids: some Sequence<Item.ID>) throws {
        let positions = try Set(ids.map { try position(of: $0, "remove an item of") })
        base.remove(at: positions.sorted())
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as ``remove(id:)`` does.
    ///
    /// - Parameter shouldBeRemoved: Called with each item, in order; if it throws, nothing is
    ///   removed.
    public mutating func removeAll(where shouldBeRemoved: (Item) throws -> Bool) rethrows {
        base.remove(at: try items.enumerated().filter { try shouldBeRemoved($1) }.map(\.offset))
    }

    /// Moves the items at `source` before the item that is now at `destination`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, or the
    ///   destination is not from 0 to the count.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) throws {
        guard source.allSatisfy(items.indices.contains), (0...items.count).contains(destination)
        else {
            throw DirectoryError(
                .indexOutOfRange, "move items of", url,
                "\(source.map(\.self)) to \(destination) is not within 0 to \(items.count)")
        }
        base.move(source, to: destination)
    }

    var url: URL { base.url }

    /// Moves the items with `ids` before the item with `next`; to the end if that is nil.
    mutating func move(_ ids: [Item.ID], before next: Item.ID?) throws {
        let source = try ids.map { try position(of: $0, "move items of") }
        let destination = try next.map { try position(of: $0, "move items of") }
        try move(fromOffsets: IndexSet(source), toOffset: destination ?? items.count)
    }

    /// Adds `item` before the item with `next`; at the end if that is nil.
    mutating func insert(_ item: Item, before next: Item.ID?) throws {
        try insert(item, at: next.map { try position(of: $0, "insert into") } ?? items.count)
    }

    func position(of id: Item.ID, _ operation: String) throws -> Int {
        try coding.position(of: id, in: base, operation)
    }
}

extension Directory.Draft where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` if the id is taken, `invalidID` if it does
    ///   not equal itself, `unencodable` if the item cannot be encoded.
    public mutating func insert(_ item: Item) throws {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if item < items[middle] { high = middle } else { low = middle + 1 }
        }
        try insert(item, at: low)
    }
}
