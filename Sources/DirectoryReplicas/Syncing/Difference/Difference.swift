import Directory
import FileSystem
import Foundation
import JSONCodec

/// The changes in the collections of this device since the base, as entries of a segment.
struct Difference {
    /// The change of the base that belongs to the entries.
    var change = BaseChange()
    /// In the order in which they are to be written.
    var entries: [SegmentEntry] = []
    /// The items that were removed, and those whose removals were held.
    private(set) var removed: [ItemReference] = []
    /// The items whose damaged lines can be read again, unchanged, or are gone, and those that a repair took out: the
    /// import that follows shows what others have made of them.
    private(set) var undamaged: [ItemReference] = []

    /// The items that are taken out of the base without having been removed.
    private var forgotten: Set<ItemReference> = []

    let base: Base
    let state: MergeState
    let kinds: [String: Binding]
    let shown: VersionVector
    private let url: URL
    /// The collections of items that are new there.
    private(set) var places: [ItemReference: CollectionReference] = [:]

    /// Finds out which items were removed, and which are at another place.
    ///
    /// - Throws: ``ReplicaError`` with `duplicateID`.
    init(
        _ looks: [CollectionLook], _ local: LocalState, _ kinds: [String: Binding],
        unreadable: Set<CollectionReference>, at url: URL
    ) throws {
        (base, state, shown) = (local.base, local.state, local.shown)
        (self.kinds, self.url) = (kinds, url)
        for look in looks {
            for item in look.items where item.changed != nil {
                let reference = ItemReference(look.collection.kind, item.key)
                let shown = base[reference]
                guard shown == nil || shown?.container != look.collection.container else {
                    continue
                }
                guard places.updateValue(look.collection, forKey: reference) == nil else {
                    throw duplicate(reference)
                }
            }
        }
        var missing: Set<ItemReference> = []
        for look in looks {
            for key in look.leftLines(base) {
                let item = ItemReference(look.collection.kind, key)
                // It may have been moved to a collection that cannot be read now.
                let isHidden =
                    places[item] == nil
                    && unreadable.contains { Kind.isSameOrBelow(item.kind, $0.kind) }
                if !isHidden, !isPerhapsDamaged(item, in: look) { forget(item, &missing) }
            }
        }
        for look in looks {
            change.repairs.formUnion(look.repairs)
            for key in look.repaired where places[ItemReference(look.collection.kind, key)] == nil {
                forget(ItemReference(look.collection.kind, key), &missing)
            }
        }
        var left: [CollectionReference: Set<ItemKey>] = [:]
        for look in looks {
            for item in items(missingIn: look)
            where !forgotten.contains(item) && missing.insert(item).inserted {
                guard places[item] == nil else { continue }
                let contents = base.contents(
                    of: item, Array(kinds.keys), outside: Set(places.keys))
                missing.formUnion(contents)
                for inner in Set(contents.map { collection(of: $0) }) {
                    change.orders += [.init(of: inner, from: base.orders[inner] ?? [], to: [])]
                        .compactMap(\.self)
                }
            }
        }
        for item in places.keys where base[item] != nil && !missing.contains(item) {
            // It may have been moved out of a collection that cannot be read now.
            guard base.isInside(unreadable, item) else { throw duplicate(item) }
            left[collection(of: item), default: []].insert(item.key)
        }
        for (collection, keys) in left {
            let old = base.orders[collection] ?? []
            let rest = old.filter { !keys.contains($0) }
            change.orders += [.init(of: collection, from: old, to: rest)].compactMap(\.self)
        }
        removed = missing.union(base.held.keys).filter { item in
            places[item] == nil && !forgotten.contains(item)
                && (base[item] != nil || base.held[item] != nil)
        }
    }

    /// Takes an item whose damaged line is gone, or that a repair took out, out of the base, with everything in it, unless
    /// it is at another place.
    private mutating func forget(_ item: ItemReference, _ missing: inout Set<ItemReference>) {
        if places[item] != nil {
            missing.insert(item)
            return
        }
        change.items.append((item, nil))
        undamaged.append(item)
        forgotten.insert(item)
        for kind in kinds.keys where Kind.parent(of: kind) == item.kind {
            let inner = CollectionReference(kind, in: item.key)
            let order = base.orders[inner] ?? []
            for key in order + (base.damaged[inner] ?? []) {
                forget(ItemReference(kind, key), &missing)
            }
            change.orders += [.init(of: inner, from: order, to: [])].compactMap(\.self)
        }
    }

    func collection(of item: ItemReference) -> CollectionReference {
        CollectionReference(item.kind, in: base[item]?.container)
    }

    /// The items of the base that are not in a collection any longer, and not damaged either.
    private func items(missingIn look: CollectionLook) -> [ItemReference] {
        let present = Set(look.items.map(\.key))
        let damaged = Set(look.damaged)
        return (base.orders[look.collection]?[look.range] ?? [])
            .filter { !present.contains($0) && !damaged.contains($0) }
            .map { ItemReference(look.collection.kind, $0) }
            .filter { !isPerhapsDamaged($0, in: look) }
    }

    /// Whether an item that is not in a collection any longer may be in a line without an id there: it is nowhere else.
    private func isPerhapsDamaged(_ item: ItemReference, in look: CollectionLook) -> Bool {
        look.damaged.contains(nil) && places[item] == nil
    }

    private func duplicate(_ item: ItemReference) -> ReplicaError {
        ReplicaError(
            .duplicateID, url, "two items of \(item.kind) have the id \(item.key.text)")
    }
}

extension Difference {
    static func object(of members: [JSONMembers.Member]) -> ArraySlice<UInt8> {
        var writer = LineWriter()
        writer.object { object in
            for member in members { object.member(member.name, json: member.value) }
        }
        return writer.bytes[...]
    }

    /// Adds the entries of items that are in `look`.
    ///
    /// `publish` puts the bytes of an item's file into the shared folder, and returns nil if it is missing; `takenNames`
    /// returns the names that no container can get, beside those of others.
    mutating func add(
        _ look: CollectionLook, using random: inout some RandomNumberGenerator,
        takenNames: ([String]) throws -> Set<String>,
        publish: (String, ItemReference) throws -> FileValue?
    ) throws {
        let old = base.orders[look.collection] ?? []
        var look = look
        var positions = OrderDifference(look, base, state).positions(using: &random)
        if positions.values.contains(where: { $0.isNew && $0.0.isLong }) {
            look = look.whole(of: old)
            let run = Position.run(
                between: nil, and: nil, count: look.items.count, using: &random)
            for (item, position) in zip(look.items, run) { positions[item.key] = (position, true) }
        }
        let keys = look.items.map(\.key)
        let known = Set(old[look.range])
        let taken = try takenFolderNames(in: look, old, of: takenNames)
        for item in look.items {
            let reference = ItemReference(look.collection.kind, item.key)
            let position = positions[item.key]
            if item.changed == nil, !known.contains(item.key) {
                undamaged.append(reference)
                if !state.isAlive(reference) { continue }
            }
            guard item.changed != nil || position?.isNew == true else { continue }
            try add(item, reference, position, look.collection.container, taken, publish)
        }
        let window = BaseChange.OrderChange(
            of: look.collection, from: Array(old[look.range]), to: keys)
        if var window {
            let start = look.range.lowerBound
            window.range = (window.range.lowerBound + start)..<(window.range.upperBound + start)
            change.orders.append(window)
        }
    }

    private mutating func add(
        _ item: LookItem, _ reference: ItemReference, _ position: (Position, isNew: Bool)?,
        _ container: ItemKey?, _ taken: TakenFolderNames,
        _ publish: (String, ItemReference) throws -> FileValue?
    ) throws {
        let old = base[reference] ?? base.held[reference]?.shown
        var shown = old ?? ShownItem(line: [])
        var entry = SegmentEntry(reference)
        let known = state.isAlive(reference) ? state[reference] : nil
        // Nobody here has seen what lives, but was not shown.
        entry.seen = old.map(\.seen) ?? known?.segmentsWithoutLivingValues(in: self.shown)
        if let line = item.changed {
            if shown.folderName != line.folderName { shown.wantedFolderName = nil }
            if let name = line.fileName, name != old?.fileName || old?.file == nil {
                shown.file = try publish(name, reference)
            }
            (shown.line, shown.folderName) = (line.bytes, line.folderName)
            shown.fileName = line.fileName
        }
        let theirs = item.changed.flatMap {
            partsWithNamesOfOthers($0, of: reference, in: container, shown.file, taken)
        }
        if let theirs {
            shown.wantedFolderName = theirs.line.folderName
            shown.file = theirs.file
        }
        shown.container = container
        shown.position = position?.0 ?? old?.position
        if known == nil, item.changed != nil {
            // An item that no device knows any more is written as a whole, unless only its place in the order differs.
            entry.container = .some(container)
            entry.position = shown.position
            entry.set = shown.line
            entry.file = shown.file
            entry.unset = try membersMissing(in: shown.line, of: reference)
        } else if let known {
            let registers = known.registers
            if old == nil || old?.container != container,
                registers.container.winner(state.rules)?.value != container
            {
                entry.container = .some(container)
            }
            if position?.isNew == true { entry.position = shown.position }
            if let file = shown.file, file != old?.file,
                registers.file.winner(state.rules)?.value != file
            {
                entry.file = file
            }
            if item.changed != nil {
                let line = theirs?.line.bytes ?? shown.line
                try addMembers(of: reference, from: old?.line ?? [], to: line, registers, &entry)
            }
        }
        change.items.append((reference, shown))
        // The removal that was held is taken back, and others may have changed the item meanwhile.
        if base.held[reference] != nil { undamaged.append(reference) }
        entries += parts(of: entry, reference, old)
    }

    /// The parts of an entry that have seen different segments: an item in an older version can be at its newest place.
    private func parts(of entry: SegmentEntry, _ item: ItemReference, _ old: ShownItem?)
        -> [SegmentEntry]
    {
        var (place, rest) = (SegmentEntry(item), entry)
        if entry.seen != nil, let known = state[item], let old {
            if known.container(state.rules)?.value == old.container {
                swap(&place.container, &rest.container)
                if known.position(state.rules)?.value == old.position {
                    swap(&place.position, &rest.position)
                }
            }
        }
        return [rest, place].filter { !$0.isEmpty }
    }

    /// The members that an item had here or has in the state, but that its line lacks: people have removed them here.
    private func membersMissing(in line: ArraySlice<UInt8>, of item: ItemReference) throws
        -> [String]
    {
        let old = try base[item].flatMap { try JSONMembers.all(of: $0.line) } ?? []
        let known = state[item]?.registers.members.keys.map { String($0) } ?? []
        let present = Set(try JSONMembers.all(of: line)?.map(\.name) ?? [])
        return Set(old.map(\.name) + known).subtracting(present).sorted()
    }

    /// Adds the members that differ between two lines, unless others have given them the same values.
    private func addMembers(
        of item: ItemReference, from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>,
        _ registers: ItemState.Registers, _ entry: inout SegmentEntry
    ) throws {
        let olds = old.isEmpty ? [] : try JSONMembers.all(of: old) ?? []
        let news = try JSONMembers.all(of: new) ?? []
        func shown(_ name: String) -> ArraySlice<UInt8>?? {
            registers.members[name]?.winner(state.rules)?.value
        }
        func isSame(_ member: JSONMembers.Member, _ value: ArraySlice<UInt8>?) -> Bool {
            kinds[item.kind]?.coding.areSame(member.value, value, of: member.name, in: new)
                ?? (member.value == value)
        }
        let changed = news.filter { member in
            let old = olds.first { $0.name == member.name }
            return !isSame(member, old?.value) && !isSame(member, shown(member.name) ?? nil)
        }
        let removed = olds.filter { member in
            !news.contains { $0.name == member.name } && shown(member.name) != .some(.none)
        }
        if !changed.isEmpty { entry.set = Self.object(of: changed) }
        entry.unset = removed.map(\.name)
    }
}
