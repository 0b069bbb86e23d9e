import Foundation

/// The order of the items of a view; items that it does not tell apart are in the order of the
/// collection.
struct ViewOrder<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
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

    /// `elements`, which are in the order of the collection, sorted in this order.
    func sorted(_ elements: [any IndexElement]) -> [any IndexElement] {
        guard let compare else { return elements }
        // This sort keeps the order of equal elements.
        return elements.sorted {
            compare(ItemElement<Item>.of($0).item, ItemElement<Item>.of($1).item)
                == .orderedAscending
        }
    }

    /// Inserts `element` at its position in `part`; all of these are elements of `all`.
    func insert(_ element: ItemElement<Item>, into part: inout Elements, of all: Elements) {
        let place = all.position(of: element.id) ?? all.count
        var (low, high) = (0, part.count)
        while low < high {
            let middle = (low + high) / 2
            let other = part[middle]
            switch compare?(ItemElement<Item>.of(other).item, element.item) ?? .orderedSame {
            case .orderedAscending: low = middle + 1
            case .orderedDescending: high = middle
            case .orderedSame:
                if (all.position(of: other.id) ?? 0) < place {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
        }
        part.insert(element, at: low)
    }
}
