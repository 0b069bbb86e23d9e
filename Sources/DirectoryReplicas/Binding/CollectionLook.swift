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

    /// A look at a collection, with what is damaged in it.
    func look(
        at directory: Directory<Item>, _ collection: CollectionReference,
        since earlier: Directory<Item>.Items? = nil, sinceAssets mark: AssetsMark? = nil,
        _ base: Base
    ) throws -> (look: CollectionLook, items: Directory<Item>.Items, assets: AssetsMark?) {
        let items = try directory.loadDurably()
        var look = look(items, collection, since: earlier, base)
        look.damaged = damaged(directory, in: collection.container)
        look.lacksIndex = try directory.lacksIndex
        try addRepairs(directory, items, base, to: &look)
        // Before the names, which can change meanwhile.
        let assets = try directory.assetsMark
        if let assets, assets != mark {
            look.withoutFile = try withoutFile(directory, look, base)
        }
        return (look, items, assets)
    }

    /// The items that are still in the collection, and whose files, as the base knows them, are not.
    private func withoutFile(
        _ directory: Directory<Item>, _ look: CollectionLook, _ base: Base
    ) throws -> Set<ItemKey> {
        let shown = base.items[kind] ?? .init()
        let present = try directory.namesOfAssets
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
        _ directory: Directory<Item>, _ items: Directory<Item>.Items, _ base: Base,
        to look: inout CollectionLook
    ) throws {
        let repairs = try directory.setAside(besides: base.repairs)
        if repairs.isEmpty { return }
        // A repair writes the lines before it takes them out, and may still be about to do that.
        look.repairs = Set(
            repairs.filter { !$0.value.ids.contains(where: items.contains(id:)) }.keys)
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

    /// The keys of elements that cannot be decoded here.
    private func damaged(_ directory: Directory<Item>, in container: ItemKey?) -> [ItemKey?] {
        directory.idsOfDamagedLines.map { id in id.map { key(of: $0, in: container) } }
    }
}
