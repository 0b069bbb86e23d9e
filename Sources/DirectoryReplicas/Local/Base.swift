/// The collections of this device as the last import or publish left them.
///
/// Every difference between it and a collection is a change that was made here since.
struct Base: Sendable {
    /// The items that are shown, by kind.
    var items: [String: ShownItems] = [:]
    /// The items of each collection in their order.
    var orders: [CollectionReference: [ItemKey]] = [:]
    /// The items that the order of their collection lacks, because their lines are damaged.
    private(set) var damaged: [CollectionReference: Set<ItemKey>] = [:]
    /// The items that were removed here, of which others are not told yet.
    private(set) var held: [ItemReference: HeldRemoval] = [:]
    /// The files of lines that repairs have taken out, as far as they were compared with the base.
    private(set) var repairs: Set<String> = []

    subscript(item: ItemReference) -> ShownItem? { items[item.kind]?[item.key] }

    var count: Int { orders.values.reduce(0) { $0 + $1.count } }
}

/// A removal that waits: the item as it was shown, with the segments that it had seen.
struct HeldRemoval: Sendable {
    var shown: ShownItem
    /// Whether it waits for a person, not for a collection that cannot be read.
    var isForPerson: Bool
}

/// A change of the base.
struct BaseChange: Sendable {
    /// The items that are shown in another way; nil for items that are not shown any longer.
    var items: [(item: ItemReference, shown: ShownItem?)] = []
    /// Parts of orders that were replaced.
    var orders: [OrderChange] = []
    /// The segments that the collections show now; nil if these are as before.
    var seen: VersionVector?
    /// The items that are not shown any longer, of which others are not told yet.
    var held: [(item: ItemReference, removal: HeldRemoval)] = []
    /// The files of lines that repairs have taken out, which were compared with the base.
    var repairs: Set<String> = []
    /// Whether the collections show nothing, whatever the state has.
    var showsNothing = false

    struct OrderChange: Sendable {
        var collection: CollectionReference
        var range: Range<Int>
        var keys: [ItemKey]
    }

    var isEmpty: Bool {
        items.isEmpty && orders.isEmpty && held.isEmpty && seen == nil && repairs.isEmpty
    }
}

extension Base {
    /// Applies a change after which the device knows `state`.
    mutating func apply(_ change: BaseChange, knowing state: MergeState) {
        let hidden = change.held.map { (item: $0.item, shown: ShownItem?.none) }
        for (item, shown) in change.items + hidden {
            held[item] = nil
            if let old = self[item], shown?.container != .some(old.container) {
                let collection = CollectionReference(item.kind, in: old.container)
                setDamaged((damaged[collection] ?? []).subtracting([item.key]), in: collection)
            }
            items[item.kind, default: .init()].set(item.key, shown, beside: state[item])
        }
        for (item, removal) in change.held { held[item] = removal }
        for order in change.orders { apply(order) }
        repairs.formUnion(change.repairs)
    }

    private mutating func apply(_ order: BaseChange.OrderChange) {
        let collection = order.collection
        var keys = orders[collection] ?? []
        orders[collection] = nil
        let range = order.range.clamped(to: 0..<keys.count)
        let left = Set(keys[range]).subtracting(order.keys)
        keys.replaceSubrange(range, with: order.keys)
        orders[collection] = keys.isEmpty ? nil : keys
        let stay = left.filter { key in
            let shown = self[ItemReference(collection.kind, key)]
            return shown.map { $0.container == collection.container } == true
        }
        setDamaged(
            (damaged[collection] ?? []).subtracting(order.keys).union(stay), in: collection)
    }

    private mutating func setDamaged(_ keys: Set<ItemKey>, in collection: CollectionReference) {
        damaged[collection] = keys.isEmpty ? nil : keys
    }

    /// Whether an item is in one of `collections`, at any depth.
    func isInside(_ collections: Set<CollectionReference>, _ item: ItemReference) -> Bool {
        if collections.isEmpty { return false }
        var next: ItemReference? = item
        while let item = next {
            let collection = CollectionReference(item.kind, in: self[item]?.container)
            if collections.contains(collection) { return true }
            next = collection.owner
        }
        return false
    }

    /// Notes that the items which are shown in an older version have the changes of a segment, and of those before it.
    mutating func noteSeen(_ dot: Dot) {
        for (kind, shown) in items {
            for (key, var item) in shown {
                guard var seen = item.seen, !seen.covers(dot) else { continue }
                seen[dot.device] = dot.number
                item.seen = seen
                items[kind]?.set(key, item, beside: nil)
            }
        }
        for (item, var removal) in held where removal.shown.seen?.covers(dot) == false {
            removal.shown.seen?[dot.device] = dot.number
            held[item] = removal
        }
    }

    /// All items in the collections of `container`, at any depth, but not those in the containers in `moved`.
    func contents(
        of container: ItemReference, _ kinds: [String], outside moved: Set<ItemReference> = []
    ) -> [ItemReference] {
        var found: [ItemReference] = []
        for kind in kinds where Kind.parent(of: kind) == container.kind {
            for key in orders[CollectionReference(kind, in: container.key)] ?? [] {
                let item = ItemReference(kind, key)
                found.append(item)
                if !moved.contains(item) { found += contents(of: item, kinds, outside: moved) }
            }
        }
        return found
    }
}

extension BaseChange.OrderChange {
    /// The change from one order to another; nil if they are the same.
    init?(of collection: CollectionReference, from old: [ItemKey], to new: [ItemKey]) {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        if start == old.count, start == new.count { return nil }
        var end = 0
        while end < min(old.count, new.count) - start,
            old[old.count - 1 - end] == new[new.count - 1 - end]
        {
            end += 1
        }
        self.init(
            collection: collection, range: start..<(old.count - end),
            keys: Array(new[start..<(new.count - end)]))
    }
}
