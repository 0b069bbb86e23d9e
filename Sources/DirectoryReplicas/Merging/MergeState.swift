/// Everything that a device knows: the join of all segments that it has seen.
///
/// Joining is associative, commutative and idempotent, so the order in which files arrive does not matter. A segment
/// is applied only after all that its device had seen (``MergeRules/isReady``).
package struct MergeState: Sendable {
    /// The items, also removed ones, by kind and key.
    private(set) var items: [String: ItemTable<ItemState>] = [:]
    /// The segments that were applied, without gaps.
    package internal(set) var seen = VersionVector()
    /// The segments that each device has shown, as far as is known: its later segments have seen all of these.
    package internal(set) var acknowledged: [DeviceID: VersionVector] = [:]
    package internal(set) var devices: [DeviceID: DeviceNote] = [:]
    /// The devices that were removed, which take new ids if they come back.
    package internal(set) var removedDevices: Set<DeviceID> = []
    /// The items in each container; this and the next two are derived from `items`.
    package private(set) var contents: [ItemReference: Set<ItemReference>] = [:]
    /// The items that have a member with several values.
    private(set) var contested: Set<ItemReference> = []
    /// The items of which a removal is known.
    private(set) var removedItems: Set<ItemReference> = []
    package let rules: MergeRules

    package init(_ rules: MergeRules = .init()) { self.rules = rules }

    /// The header of the newest known segment of a device, without the segments that it had seen.
    package struct DeviceNote: Hashable, Sendable {
        package var number: Int
        package var time: Int
        package var name: String?
    }
}

extension MergeState {
    /// The state of an item: if it was removed with a container that somebody moved away, it lives.
    package subscript(item: ItemReference) -> ItemState? {
        guard let state = written(item) else { return nil }
        guard !state.isAlive, state.isRemovedWithContainer,
            let container = container(of: item), isPlaced(container)
        else { return state }
        return state.revived
    }

    private func written(_ item: ItemReference) -> ItemState? { items[item.kind]?[item.key] }

    /// Whether somebody wrote the place of a container without knowing of its removal, or of that of one it is in.
    func isPlaced(_ container: ItemReference) -> Bool {
        switch written(container)?.container(rules)?.removed {
        case .nothing: true
        case .container: self.container(of: container).map(isPlaced) ?? false
        case .item, nil: false
        }
    }

    /// Replaces the state of an item.
    ///
    /// - Returns: The item, and the container that it leaves, which may have been shown because of this item alone.
    @discardableResult
    mutating func set(_ item: ItemReference, _ state: ItemState?) -> Set<ItemReference> {
        let (old, wasPlaced) = (container(of: item), contents[item] != nil && isPlaced(item))
        items[item.kind, default: .init()][item.key] = state
        contested.set(state?.isContested == true, item)
        removedItems.set(state?.removals.isEmpty == false, item)
        var changed: Set = [item]
        if contents[item] != nil, isPlaced(item) != wasPlaced {
            addContents(of: item, to: &changed)
        }
        let new = container(of: item)
        guard old != new else { return changed }
        if let new { note(item, in: new) }
        guard let old else { return changed }
        contents[old]?.remove(item)
        if contents[old]?.isEmpty == true { contents[old] = nil }
        return changed.union([old])
    }

    private func addContents(of item: ItemReference, to found: inout Set<ItemReference>) {
        for inner in contents[item] ?? [] where found.insert(inner).inserted {
            addContents(of: inner, to: &found)
        }
    }

    /// Adds the first items of a kind: those that a file with a state has as one segment wrote them.
    ///
    /// The containers that have them are noted beside it.
    mutating func add(_ written: WrittenItems) {
        items[written.kind] = ItemTable(written)
    }

    /// Notes that a container has an item.
    mutating func note(_ item: ItemReference, in container: ItemReference) {
        contents[container, default: []].insert(item)
    }

    /// The container that an item is in; nil for items of the root.
    func container(of item: ItemReference) -> ItemReference? {
        guard let kind = Kind.parent(of: item.kind),
            let key = written(item)?.container(rules)?.value
        else { return nil }
        return ItemReference(kind, key)
    }

    /// When an item came to its collection: items get the names that they want in this order.
    func birth(of item: ItemReference) -> (Int, ItemKey) {
        (written(item)?.container(rules)?.stamp.time ?? 0, item.key)
    }

    /// Whether the item is to be shown: it lives, or something in it does, also if it was forgotten.
    package func isAlive(_ item: ItemReference) -> Bool {
        if self[item]?.isAlive == true { return true }
        guard let inside = contents[item] else { return false }
        return rules.keepsContainers(inside.contains { isAlive($0) })
    }
}

extension MergeState {
    /// Whether `header` is that of a segment that was applied already.
    package func contains(_ header: SegmentHeader) -> Bool {
        seen.covers(Dot(header.device, header.number))
    }

    /// Applies a segment that is ready, and returns the items that it is about.
    @discardableResult
    package mutating func receive(_ segment: Segment) -> Set<ItemReference> {
        let header = segment.header
        let stamp = Stamp(Dot(header.device, header.number), time: header.time)
        var changed: Set<ItemReference> = []
        for entry in segment.entries {
            let item = ItemReference(entry.kind, entry.key)
            var seen = entry.seen ?? header.seen
            // A device has seen its own segments.
            seen[header.device] = header.number - 1
            if let old = written(item) {
                var state = old
                state.apply(entry, stamp, seen: seen, rules)
                changed.formUnion(set(item, state))
            } else if let whole = ItemState(entry, stamp) {
                changed.formUnion(set(item, whole))
            } else {
                var state = ItemState()
                state.apply(entry, stamp, seen: seen, rules)
                changed.formUnion(set(item, state))
            }
        }
        seen[header.device] = header.number
        note(header)
        return changed
    }

    /// Notes the device that wrote `header`, and the segments that it had shown.
    mutating func note(_ header: SegmentHeader) {
        acknowledged[header.device, default: .init()].formUnion(header.seenWithItself)
        note(
            DeviceNote(number: header.number, time: header.time, name: header.name),
            of: header.device)
        removedDevices.formUnion(header.removedDevices)
    }

    private mutating func note(_ note: DeviceNote, of device: DeviceID) {
        guard let old = devices[device], old.number >= note.number else {
            devices[device] = note
            return
        }
    }

    /// Joins the state of another device, and returns the items that may have changed.
    @discardableResult
    package mutating func join(_ other: MergeState) -> Set<ItemReference> {
        let changed = seen == .init() ? copyItems(of: other) : joinItems(of: other)
        seen.formUnion(other.seen)
        for (device, vector) in other.acknowledged {
            acknowledged[device, default: .init()].formUnion(vector)
        }
        for (device, note) in other.devices { self.note(note, of: device) }
        removedDevices.formUnion(other.removedDevices)
        return changed
    }

    /// Takes the items of another state into this one, which has seen nothing.
    private mutating func copyItems(of other: MergeState) -> Set<ItemReference> {
        (items, contents) = (other.items, other.contents)
        (contested, removedItems) = (other.contested, other.removedItems)
        var all: Set<ItemReference> = []
        for (kind, states) in items {
            for (key, _) in states { all.insert(ItemReference(kind, key)) }
        }
        return all
    }

    private mutating func joinItems(of other: MergeState) -> Set<ItemReference> {
        var changed: Set<ItemReference> = []
        for kind in Set(items.keys).union(other.items.keys) {
            let (mine, theirs) = (items[kind] ?? .init(), other.items[kind] ?? .init())
            for (key, new) in theirs {
                changed.formUnion(join(ItemReference(kind, key), mine[key], new, other.seen))
            }
            for (key, old) in mine where theirs[key] == nil {
                changed.formUnion(join(ItemReference(kind, key), old, nil, other.seen))
            }
        }
        return changed
    }

    /// Joins what this state and another one, which has seen `otherSeen`, know of an item.
    ///
    /// - Returns: The items that may have changed.
    private mutating func join(
        _ item: ItemReference, _ old: ItemState?, _ new: ItemState?, _ otherSeen: VersionVector
    ) -> Set<ItemReference> {
        if let new, new.removals.isEmpty, case .plain(let plain) = new.form {
            // An item that only the other state has stays as it is, if this state has not seen it.
            if old == nil, !rules.forgot(seen, plain.stamp.dot) { return set(item, new) }
            if plain.removed == .nothing, let old, old.removals.isEmpty,
                case .plain(let mine) = old.form,
                mine.stamp.dot == plain.stamp.dot
            {
                return []
            }
        }
        var state = old ?? ItemState()
        let isLeft = state.join(new ?? ItemState(), seen: seen, otherSeen: otherSeen, rules)
        return isLeft && state == old ? [] : set(item, isLeft ? state : nil)
    }
}

extension Set {
    /// Adds or removes an element.
    fileprivate mutating func set(_ isMember: Bool, _ element: Element) {
        if isMember { insert(element) } else { remove(element) }
    }
}

extension MergeState: Equatable {
    private var allItems: [ItemReference: ItemState] {
        var all: [ItemReference: ItemState] = [:]
        for (kind, states) in items {
            for (key, state) in states { all[ItemReference(kind, key)] = state }
        }
        return all
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.allItems == right.allItems && left.seen == right.seen
            && left.acknowledged == right.acknowledged
            && left.devices == right.devices && left.removedDevices == right.removedDevices
    }
}
