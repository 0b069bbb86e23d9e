extension Directory {
    /// One committed state of an index: its items, and the lines that are not items.
    struct Snapshot: Sendable {
        var items = Items()
        var damaged: [DamagedLine] = []
        /// The names of the folders and files that the items own.
        var names: LazyNames<Item>

        init(items: Items = .init(), damaged: [DamagedLine] = [], names: LazyNames<Item>? = nil) {
            self.items = items
            self.damaged = damaged
            self.names = names ?? LazyNames(of: items)
        }
    }

    /// A line of the index that is not an item of this type, kept byte for byte.
    struct DamagedLine: Sendable {
        var line: ArraySlice<UInt8>
        var reason: String
        /// The error of decoding it; nil if it can be decoded.
        var error: (any Error)?
        /// The id of the item before it; nil at the front.
        var predecessor: Item.ID?
        /// The id of the earlier item whose duplicate this line is; nil if it is not a duplicate.
        var duplicated: Item.ID?
        /// The id of the line, which no new item gets; nil if it cannot be read.
        var id: Item.ID?
    }
}

extension Directory.Snapshot {
    /// Whether every element that can own files is an item; duplicates own nothing.
    var areAllOwnersKnown: Bool {
        damaged.isEmpty || damaged.allSatisfy { $0.duplicated != nil }
    }

    /// Whether each damaged line can be the item of another version of the app, so that a repair leaves it in the index:
    /// it is an object with an id that no item has, and no damaged line before it.
    var mayBeItems: [Bool] {
        var known: Set<Item.ID> = []
        return damaged.map { line in
            // An id that does not equal itself is never that of an item.
            guard let id = line.id, id == id, line.duplicated == nil, !items.contains(id: id)
            else { return false }
            return known.insert(id).inserted
        }
    }

    /// The lines of the index in order: the line of each item, then the damaged lines that follow
    /// it.
    var lines: [ArraySlice<UInt8>] {
        if damaged.isEmpty {
            var lines: [ArraySlice<UInt8>] = []
            lines.reserveCapacity(items.count)
            for slot in items.slots { lines.append(slot.line) }
            return lines
        }
        let damagedLines = Dictionary(grouping: damaged, by: \.predecessor)
            .mapValues { $0.map(\.line) }
        var lines = damagedLines[nil] ?? []
        for slot in items.slots {
            lines.append(slot.line)
            if let following = damagedLines[slot.item.id] { lines += following }
        }
        return lines
    }
}
