import Directory

extension ImportPlanner {
    /// Makes plans of the verdicts, and the change of the base that belongs to them.
    mutating func planCollections() throws {
        var removed: [CollectionReference: Set<ItemKey>] = [:]
        var added: [CollectionReference: [(key: ItemKey, position: Position)]] = [:]
        for item in gone {
            guard let old = base[item] else { continue }
            // It waits for its new place, and these may be the only bytes of its file.
            if case .keep = verdicts[item], let file = old.file { _ = try isHere(file, of: item) }
            removed[.init(item.kind, in: old.container), default: []].insert(item.key)
            if !isAddedAgain(item) { plan.change.items.append((item, nil)) }
        }
        for (item, verdict) in verdicts {
            switch verdict {
            case .show(let wanted):
                let old = base[item]
                let collection = CollectionReference(item.kind, in: wanted.container)
                let isMoved = !wanted.isAdded && old?.position != wanted.position
                if wanted.isAdded || isMoved {
                    added[collection, default: []].append((item.key, wanted.position))
                }
                if isMoved { removed[collection, default: []].insert(item.key) }
                show(item, wanted, old, collection)
            case .keep:
                guard !gone.contains(item), var old = base[item], old.seen == nil else { continue }
                old.seen = shown
                plan.change.items.append((item, old))
            case .hide, .unreadable: continue
            }
        }
        for collection in Set(removed.keys).union(added.keys) {
            order(collection, removed[collection] ?? [], added[collection] ?? [])
        }
        plan.change.seen = state.seen == shown ? nil : state.seen
    }

    private func isAddedAgain(_ item: ItemReference) -> Bool {
        if case .show = verdicts[item] { return true }
        return false
    }

    private mutating func show(
        _ item: ItemReference, _ wanted: Wanted, _ old: ShownItem?,
        _ collection: CollectionReference
    ) {
        var shown = ShownItem(line: wanted.line.bytes)
        (shown.container, shown.position, shown.file) = (
            wanted.container, wanted.position, wanted.file
        )
        (shown.fileName, shown.folderName) = (wanted.line.fileName, wanted.line.folderName)
        shown.seen = wanted.seen
        if wanted.folderName != wanted.line.folderName {
            shown.wantedFolderName = wanted.folderName
        }
        if shown == old, !wanted.isAdded, !wanted.needsFile { return }
        plan.change.items.append((item, shown))
        if wanted.isAdded || old?.line != shown.line || wanted.needsFile {
            plan.collections[collection, default: .init(collection)].lines[item.key] = wanted.line
        }
        if wanted.needsFile, let file = wanted.file, let name = wanted.line.fileName {
            plan.transfers.append(
                .init(item: item, collection: collection, file: file, name: name))
        }
    }

    /// Plans the order of a collection.
    private mutating func order(
        _ collection: CollectionReference, _ removed: Set<ItemKey>,
        _ added: [(key: ItemKey, position: Position)]
    ) {
        let isNew = isMade(collection)
        let old = base.orders[collection] ?? []
        let kept = removed.isEmpty ? old : old.filter { !removed.contains($0) }
        let sorted = added.sorted { ($0.position, $0.key) < ($1.position, $1.key) }
        var order: [ItemKey] = []
        order.reserveCapacity(kept.count + sorted.count)
        var next = 0
        var placed: [(key: ItemKey, predecessor: ItemKey?)] = []
        for item in sorted {
            let place = place(of: item, in: kept, collection.kind)
            if place > next { order += kept[next..<place] }
            next = max(next, place)
            placed.append((item.key, order.last))
            order.append(item.key)
        }
        order += kept[next...]
        if let change = BaseChange.OrderChange(of: collection, from: old, to: order) {
            plan.change.orders.append(change)
        }
        if !isNew, isInside(gone, collection) { return }
        var part = plan.collections[collection] ?? .init(collection)
        part.isNew = isNew
        let again = Set(added.lazy.map(\.key))
        part.removed = isNew ? [] : old.filter { removed.contains($0) && !again.contains($0) }
        part.placed = placed
        plan.collections[collection] = part
    }

    func isMade(_ collection: CollectionReference) -> Bool {
        collection.owner.map { made.contains($0) } ?? false
    }

    /// Whether the container of a collection is removed, so that the collection is removed with it.
    private func isInside(_ gone: Set<ItemReference>, _ collection: CollectionReference) -> Bool {
        collection.owner.map { gone.contains($0) } ?? false
    }

    /// How many of `kept` come before an item.
    private func place(
        of item: (key: ItemKey, position: Position), in kept: [ItemKey], _ kind: String
    ) -> Int {
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            let other = kept[middle]
            let isBefore =
                base[ItemReference(kind, other)]?.position.map {
                    ($0, other) < (item.position, item.key)
                } ?? true
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ImportPlan {
    /// The collections with plans, and those that lead to them, below each collection.
    func below(_ base: Base, _ verdicts: [ItemReference: Verdict]) -> [CollectionReference:
        [CollectionReference]]
    {
        var below: [CollectionReference: [CollectionReference]] = [:]
        var known: Set<CollectionReference> = []
        var open = collections.filter { !$0.value.isEmpty || $0.value.isNew }.map(\.key)
        while let collection = open.popLast() {
            guard let container = collection.owner, known.insert(collection).inserted else {
                continue
            }
            var above = base[container]?.container
            if case .show(let wanted) = verdicts[container] { above = wanted.container }
            let outer = CollectionReference(container.kind, in: above)
            below[outer, default: []].append(collection)
            open.append(outer)
        }
        return below
    }
}
