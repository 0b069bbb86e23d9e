extension Directory {
    /// What one committed state of an index holds.
    struct Snapshot: Sendable {
        var items = Items()
        var damaged: [Damaged] = []
        /// What the items own on disk.
        var names = OwnedNames<Item.ID>()
    }

    /// An element of the index that is no item of this type, kept byte for byte.
    struct Damaged: Sendable {
        var line: ArraySlice<UInt8>
        var reason: String
        /// The id of the item before it; nil at the front.
        var predecessor: Item.ID?
        /// Whether it decodes, but as an item whose id stands earlier in the index.
        var isDuplicate = false
    }

    /// What a commit changed.
    public struct Change: Sendable {
        /// The ids of new items.
        public var inserted: [Item.ID] = []
        /// The ids of items with another value.
        public var updated: [Item.ID] = []
        /// The ids of items that are gone.
        public var removed: [Item.ID] = []
        /// Whether items that were there before have another order.
        public var isReordered = false

        /// Whether nothing changed.
        public var isEmpty: Bool {
            inserted.isEmpty && updated.isEmpty && removed.isEmpty && !isReordered
        }
    }
}

extension Directory.Change {
    /// What a draft changed in `base`: only the ids it touched can differ.
    init(from base: Directory.Items, to draft: Directory.Draft) {
        for id in draft.touched {
            switch (base.contains(id: id), draft.items.contains(id: id)) {
            case (false, true): inserted.append(id)
            case (true, true): updated.append(id)
            case (true, false): removed.append(id)
            case (false, false): break
            }
        }
        isReordered = draft.mayBeReordered && Self.isReordered(base, draft.items)
    }

    /// What differs between two states that were read from disk, by their JSON.
    init(from old: Directory.Items, to new: Directory.Items) {
        for slot in new.slots {
            let id = slot.item.id
            guard let oldSlot = old.slot(of: id) else {
                inserted.append(id)
                continue
            }
            if oldSlot.line != slot.line { updated.append(id) }
        }
        removed = old.lazy.map(\.id).filter { !new.contains(id: $0) }
        isReordered = Self.isReordered(old, new)
    }

    /// Whether the items that both have are in another order.
    private static func isReordered(_ old: Directory.Items, _ new: Directory.Items) -> Bool {
        let kept = old.lazy.map(\.id).filter(new.contains(id:))
        return !kept.elementsEqual(new.lazy.map(\.id).filter(old.contains(id:)))
    }
}

/// An element of an index that cannot be decoded, as ``Directory/damagedItems`` reports it.
public struct DamagedItem: Sendable, Hashable {
    /// Its JSON, as it stands in the index.
    public let json: String
    /// Why it is no item.
    public let reason: String
}
