import Foundation

/// What a view of a collection shows: some of its items, in an order of their own.
protocol Arrangement<Item>: Sendable {
    associatedtype Item: Codable & Identifiable & Sendable where Item.ID: Sendable
    /// What readers see; costs nothing to copy.
    associatedtype Value: Sendable

    var value: Value { get }

    /// Arranges `items` from the beginning.
    mutating func rebuild(from items: Directory<Item>.Items)

    /// Takes out the item with `id`; returns false if it is not there.
    mutating func remove(_ id: Item.ID) -> Bool

    /// Puts the item in `slot` where it belongs, as one of `items`; returns false if it does not
    /// belong here.
    mutating func insert(_ slot: Directory<Item>.Items.Slot, of items: Directory<Item>.Items)
        -> Bool

    /// Replaces the item that `slot` has the id of by the one in `slot`, if that has the same place.
    mutating func replace(_ slot: Directory<Item>.Items.Slot, _ old: Item) -> Bool
}

extension Arrangement {
    /// Brings this up to date with `change`, and returns whether anything is different.
    mutating func apply(_ change: Directory<Item>.Change) -> Bool {
        let moved = change.isReordered ? change.movedIDs : []
        let count = change.inserted.count + change.updated.count + change.removed.count
        if count + moved.count > 64 + change.after.count / 8 {
            rebuild(from: change.after)
            return true
        }
        var isChanged = false
        for id in change.removed where remove(id) { isChanged = true }
        // First all of these go, so that the others are in order while these are inserted.
        var arriving = moved
        for id in moved where remove(id) { isChanged = true }
        for id in change.updated where !moved.contains(id) {
            guard let old = change.before[id: id], let slot = change.after.slot(of: id) else {
                continue
            }
            if replace(slot, old) {
                isChanged = true
            } else {
                if remove(id) { isChanged = true }
                arriving.insert(id)
            }
        }
        for id in change.inserted + arriving {
            guard let slot = change.after.slot(of: id) else { continue }
            if insert(slot, of: change.after) { isChanged = true }
        }
        return isChanged
    }
}

/// The order of the items of a view; those that it does not tell apart are in the order of the
/// collection.
struct ViewOrder<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Items = Directory<Item>.Items
    typealias Slot = Items.Slot

    /// Nil for the order of the collection.
    let compare: (@Sendable (Item, Item) -> ComparisonResult)?

    init() { compare = nil }

    init(_ comparator: some SortComparator<Item> & Sendable) {
        compare = { comparator.compare($0, $1) }
    }

    /// The order by the first comparator that tells two items apart.
    init(_ comparators: [some SortComparator<Item> & Sendable]) {
        compare = { left, right in
            for comparator in comparators {
                let result = comparator.compare(left, right)
                if result != .orderedSame { return result }
            }
            return .orderedSame
        }
    }

    /// Whether an item keeps its place when `new` replaces `old`.
    func isSame(_ old: Item, _ new: Item) -> Bool {
        compare.map { $0(old, new) == .orderedSame } ?? true
    }

    /// `slots`, which are in the order of the collection, in this order.
    func sorted(_ slots: [Slot]) -> [Slot] {
        guard let compare else { return slots }
        // This sort keeps the order of equal elements.
        return slots.sorted { compare($0.item, $1.item) == .orderedAscending }
    }

    /// Puts `slot` where it belongs in `part`; all of these are items of `all`.
    func insert(_ slot: Slot, into part: inout Items, of all: Items) {
        let id = slot.item.id
        let place = all.index(of: id) ?? all.count
        var (low, high) = (0, part.count)
        while low < high {
            let middle = (low + high) / 2
            let other = part.slot(at: middle).item
            switch compare?(other, slot.item) ?? .orderedSame {
            case .orderedAscending: low = middle + 1
            case .orderedDescending: high = middle
            case .orderedSame:
                if (all.index(of: other.id) ?? 0) < place {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
        }
        part.insert(slot, at: low)
    }
}
