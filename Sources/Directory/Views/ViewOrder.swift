import Foundation

/// The order of the items of a view; items that it does not tell apart are in the order of the
/// collection.
struct ViewOrder<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Items = Directory<Item>.Items
    typealias Slot = Items.Slot

    /// Nil for the order of the collection.
    let compare: (@Sendable (Item, Item) -> ComparisonResult)?

    /// Whether the items have another order than the collection.
    var isSorted: Bool { compare != nil }

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

    /// Whether an item keeps its position when `new` replaces `old`.
    func isSame(_ old: Item, _ new: Item) -> Bool {
        compare.map { $0(old, new) == .orderedSame } ?? true
    }

    /// `slots`, which are in the order of the collection, sorted in this order.
    func sorted(_ slots: [Slot]) -> [Slot] {
        guard let compare else { return slots }
        // This sort keeps the order of equal elements.
        return slots.sorted { compare($0.item, $1.item) == .orderedAscending }
    }

    /// Inserts `slot` at its position in `part`; all of these are items of `all`.
    func insert(_ slot: Slot, into part: inout Items, of all: Items) {
        let place = all.index(of: slot.item.id) ?? all.count
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
