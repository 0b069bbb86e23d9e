import Directory

/// The differences between a collection and the base.
struct CollectionLook: Sendable {
    var collection: CollectionReference
    /// The part of the order in the base that differs.
    var range: Range<Int>
    /// The items that are in that part now.
    var items: [LookItem] = []
    /// The keys of elements that cannot be decoded here; nil for one whose id cannot be read either.
    var damaged: [ItemKey?] = []
    /// Whether the index file is missing or has no bytes, as only in a collection that was never used.
    var lacksIndex = false
}

extension CollectionLook {
    /// The same look at the whole collection, whose order in the base is `order`.
    func whole(of order: [ItemKey]) -> Self {
        var look = self
        look.range = order.indices
        look.items = order[..<range.lowerBound].map { LookItem(key: $0) } + items
        look.items += order[range.upperBound...].map { LookItem(key: $0) }
        return look
    }
}

/// An item in the part of a collection that differs.
struct LookItem: Sendable {
    var key: ItemKey
    /// Nil if the line is that of the base.
    var changed: DecodedLine?
}

extension Binding {
    /// Compares the items of a collection with the base.
    ///
    /// `earlier` are the items that the base was made of, if they are known.
    func look(
        _ items: Directory<Item>.Items, _ collection: CollectionReference,
        since earlier: Directory<Item>.Items?, _ base: Base
    ) -> CollectionLook {
        let order = base.orders[collection] ?? []
        var (start, end) = (0, 0)
        if let earlier, earlier.count == order.count {
            start = items.countOfSameAtStart(as: earlier)
            end = min(items.countOfSameAtEnd(as: earlier), min(items.count, order.count) - start)
        }
        var found: [LookItem] = []
        let shown = base.items[kind] ?? .init()
        for position in start..<(items.count - end) {
            let line = items.line(at: position)
            let key = key(of: line.item.id, in: collection.container)
            var item = LookItem(key: key)
            if let known = shown[key], known.container == collection.container,
                known.line == line.bytes
            {
                // Nothing is kept of the items before the first difference, which are most of them.
                if found.isEmpty, start < order.count - end, order[start] == key {
                    start += 1
                    continue
                }
            } else {
                item.changed = DecodedLine(
                    bytes: line.bytes, folderName: line.folderName, fileName: line.fileName,
                    line: line)
            }
            if found.isEmpty { found.reserveCapacity(items.count - end - position) }
            found.append(item)
        }
        return CollectionLook(
            collection: collection, range: start..<(order.count - end), items: found)
    }

    /// The keys of elements that cannot be decoded here.
    func damaged(_ directory: Directory<Item>, in container: ItemKey?) -> [ItemKey?] {
        directory.idsOfDamagedLines.map { id in id.map { key(of: $0, in: container) } }
    }
}
