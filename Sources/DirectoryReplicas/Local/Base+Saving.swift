/// Most items are shown just as one segment wrote them, in the order of their positions. So only the items and orders
/// that differ from that are saved.
extension Base {
    /// The base of a device that shows each living item as one segment wrote it, and no others.
    private init(asIn state: MergeState) {
        for (kind, states) in state.items { items[kind] = ShownItems(asWrittenIn: states) }
    }

    /// The items of each collection in the order of their positions, then of their keys.
    private var ordersByPosition: [CollectionReference: [ItemKey]] {
        var orders: [CollectionReference: [ItemKey]] = [:]
        var last: [CollectionReference: Place] = [:]
        var unsorted: Set<CollectionReference> = []
        for (kind, shown) in items {
            for (key, item) in shown {
                let collection = CollectionReference(kind, in: item.container)
                let place = Place(position: item.position, key: key)
                if let before = last.updateValue(place, forKey: collection), place < before {
                    unsorted.insert(collection)
                }
                orders[collection, default: []].append(key)
            }
        }
        // A file with a state has the items in their order. Only others are sorted, because their positions take memory.
        for collection in unsorted {
            let shown = items[collection.kind] ?? .init()
            let keys = orders.removeValue(forKey: collection) ?? []
            var places = keys.map { Place(position: shown[$0]?.position, key: $0) }
            places.sort()
            orders[collection] = places.map(\.key)
        }
        return orders
    }

    /// Where an item is in the order of its collection.
    private struct Place: Comparable {
        var position: Position?
        var key: ItemKey

        static func < (left: Self, right: Self) -> Bool {
            (left.position?.text ?? "", left.key) < (right.position?.text ?? "", right.key)
        }
    }
}

extension Base {
    /// The change of which ``init(_:of:)`` makes this base; `seen` are the segments that the collections show.
    func difference(from state: MergeState, seen: VersionVector) -> BaseChange {
        var change = BaseChange()
        (change.seen, change.repairs) = (seen, repairs)
        change.held = held.map { ($0.key, $0.value) }
        // It may have another file than the state, which was read since.
        if items.values.allSatisfy(\.isEmpty) {
            change.showsNothing = true
            return change
        }
        var plain = Base(asIn: state)
        for kind in Set(items.keys).union(plain.items.keys) {
            let (shown, others) = (items[kind] ?? .init(), plain.items[kind] ?? .init())
            for key in shown.changedKeys(from: state.items[kind] ?? .init())
            where shown[key] != others[key] {
                change.items.append((ItemReference(kind, key), shown[key]))
            }
        }
        // These are the items of this base, most of them in the order of the file with the state.
        plain.apply(change, knowing: state)
        let sorted = plain.ordersByPosition
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
            items = state.items.mapValues(ShownItems.init(noneOf:))
            apply(BaseChange(held: change.held, repairs: change.repairs), knowing: state)
            return
        }
        self.init(asIn: state)
        apply(BaseChange(items: change.items, held: change.held), knowing: state)
        orders = ordersByPosition
        apply(BaseChange(orders: change.orders, repairs: change.repairs), knowing: state)
    }
}
