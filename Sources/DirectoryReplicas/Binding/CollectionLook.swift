import Directory
import FileSystem

/// The differences between a collection and the base.
struct CollectionLook: Sendable {
    var collection: CollectionReference
    /// The part of the order in the base that differs.
    var range: Range<Int>
    /// The items that are in that part now.
    var items: [LookItem] = []
    /// The keys of elements that cannot be decoded here; nil for one whose id cannot be read either.
    var damaged: [ItemKey?] = []
    /// Whether the index was removed or emptied, or the collection was never used.
    var lacksIndex = false
    /// The items of the base that repairs have taken out of the collection, which is no removal.
    var repaired: Set<ItemKey> = []
    /// The names of the files into which repairs have set lines aside that are not in the collection any longer.
    var repairs: Set<String> = []
    /// The items of the base whose files are missing.
    var withoutFile: Set<ItemKey> = []
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
    var changed: IndexLine?
}

extension Binding {
    /// Compares the lines of a collection with the base.
    ///
    /// `earlier` are the lines that the base was made of, if they are known.
    func look(
        _ lines: CollectionLines, _ collection: CollectionReference,
        since earlier: CollectionLines?, _ base: Base
    ) -> CollectionLook {
        let order = base.orders[collection] ?? []
        var (start, end) = (0, 0)
        if let earlier, earlier.count == order.count {
            start = lines.countOfSameAtStart(as: earlier)
            end = min(lines.countOfSameAtEnd(as: earlier), min(lines.count, order.count) - start)
        }
        var found: [LookItem] = []
        let shown = base.items[kind] ?? .init()
        for position in start..<(lines.count - end) {
            let line = lines[position]
            let key = key(of: line.id, in: collection.container)
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
                item.changed = line
            }
            if found.isEmpty { found.reserveCapacity(lines.count - end - position) }
            found.append(item)
        }
        return CollectionLook(
            collection: collection, range: start..<(order.count - end), items: found)
    }

    /// Reads the collection at the end of `path`; nil if it is not there any longer.
    func look(along path: CollectionPath, _ reference: CollectionReference, _ base: Base) throws
        -> (look: CollectionLook, mark: CollectionMark?)?
    {
        guard let collection = try path.open() else { return nil }
        do {
            let (look, _, assets) = try look(at: collection, reference, base)
            return (look, collection.mark(assets))
        } catch let error as DirectoryError where error.code == .containerRemoved {
            return nil
        }
    }

    /// A look at a collection, with what is damaged in it.
    func look(
        at collection: LineCollection, _ reference: CollectionReference,
        since earlier: CollectionLines? = nil, sinceAssets mark: AssetsMark? = nil, _ base: Base
    ) throws -> (look: CollectionLook, lines: CollectionLines, assets: AssetsMark?) {
        let lines = try collection.loadDurably()
        var look = look(lines, reference, since: earlier, base)
        look.damaged = collection.idsOfDamagedLines.map { id in
            id.map { key(of: $0, in: reference.container) }
        }
        look.lacksIndex = try collection.lacksIndex
        try addRepairs(collection, lines, base, to: &look)
        // Before the names, which can change meanwhile.
        let assets = try collection.assetsMark
        if let assets, assets != mark {
            look.withoutFile = try withoutFile(collection, look, base)
        }
        return (look, lines, assets)
    }

    /// The items that are still in the collection, and whose files, as the base knows them, are not.
    private func withoutFile(
        _ collection: LineCollection, _ look: CollectionLook, _ base: Base
    ) throws -> Set<ItemKey> {
        let shown = base.items[kind] ?? .init()
        let present = try collection.namesOfAssets
        let keys = look.whole(of: base.orders[look.collection] ?? []).items.map(\.key)
        return Set(
            keys.filter { key in
                guard let item = shown[key], item.file != nil,
                    let name = item.fileName.flatMap(FileName.init)
                else { return false }
                return !present.contains(name)
            })
    }

    /// Adds the items that repairs have taken out since the last look.
    private func addRepairs(
        _ collection: LineCollection, _ lines: CollectionLines, _ base: Base,
        to look: inout CollectionLook
    ) throws {
        let repairs = try collection.setAside(besides: base.repairs)
        if repairs.isEmpty { return }
        // A repair writes the lines before it takes them out, and may still be about to do that.
        look.repairs = Set(
            repairs.filter { !$0.value.ids.contains(where: lines.contains) }.keys)
        // A line whose id cannot be read can be that of any item.
        let isAny = repairs.values.contains { $0.hasOthers }
        let keys = Set(
            repairs.values.flatMap(\.ids).map { key(of: $0, in: look.collection.container) })
        let present = Set(look.items.map(\.key))
        look.repaired = Set(
            (base.orders[look.collection]?[look.range] ?? []).filter { key in
                !present.contains(key) && (isAny || keys.contains(key))
            })
    }
}
