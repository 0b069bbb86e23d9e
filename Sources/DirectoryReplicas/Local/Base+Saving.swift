/// Most items are shown just as one segment wrote them, in the order of their positions. So only the items and orders
/// that differ from that are saved.
extension Base {
    /// The base of a device that shows each living item as one segment wrote it, and no others.
    private init(asIn state: MergeState) {
        for (kind, states) in state.items { items[kind] = ShownItems(asWrittenIn: states) }
    }

    /// The items of each collection in the order of their positions, then of their keys.
    private var ordersByPosition: [CollectionReference: [ItemKey]] {
        var found: [CollectionReference: [(position: String, key: ItemKey)]] = [:]
        for (kind, shown) in items {
            for (key, item) in shown {
                found[.init(kind, in: item.container), default: []]
                    .append((item.position?.text ?? "", key))
            }
        }
        var orders: [CollectionReference: [ItemKey]] = [:]
        // One after the other, and in place, because a copy of all takes half as much memory as the index.
        while case (let collection, var items)? = found.popFirst() {
            // ASCII text is in the order of its bytes.
            items.sort { ($0.position, $0.key) < ($1.position, $1.key) }
            orders[collection] = items.map(\.key)
        }
        return orders
    }
}

extension Base {
    /// The change of which ``init(_:of:)`` makes this base; `seen` are the segments that the collections show.
    func difference(from state: MergeState, seen: VersionVector) -> BaseChange {
        var change = BaseChange()
        change.seen = seen
        if items.values.allSatisfy(\.isEmpty) {
            change.showsNothing = true
            return change
        }
        let plain = Base(asIn: state)
        for kind in Set(items.keys).union(plain.items.keys) {
            let (shown, others) = (items[kind] ?? .init(), plain.items[kind] ?? .init())
            for key in shown.changedKeys(from: state.items[kind] ?? .init())
            where shown[key] != others[key] {
                change.items.append((ItemReference(kind, key), shown[key]))
            }
        }
        let sorted = ordersByPosition
        for collection in Set(orders.keys).union(sorted.keys)
        where orders[collection] != sorted[collection] {
            change.orders.append(
                .init(
                    collection: collection, range: 0..<(sorted[collection]?.count ?? 0),
                    keys: orders[collection] ?? []))
        }
        return change
    }

    /// The base that shows the items as in `state`, except for `change`.
    init(_ change: BaseChange, of state: MergeState) {
        if change.showsNothing {
            self.init()
            return
        }
        self.init(asIn: state)
        apply(BaseChange(items: change.items), knowing: state)
        orders = ordersByPosition
        apply(BaseChange(orders: change.orders), knowing: state)
    }
}
