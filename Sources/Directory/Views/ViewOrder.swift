import Foundation

/// The order of the elements of a view; those that it does not tell apart are in the order of the
/// collection.
struct ViewOrder: Sendable {
    /// Nil for the order of the collection.
    let compare: (@Sendable (any IndexElement, any IndexElement) -> ComparisonResult)?

    /// Whether the elements have another order than the collection.
    var isSorted: Bool { compare != nil }

    /// The order of the collection.
    init() { compare = nil }

    /// The order of the items in the elements, which have all the same type.
    init<Item: Codable & Identifiable & Sendable>(
        _ comparator: some SortComparator<Item> & Sendable
    ) where Item.ID: Sendable {
        compare = {
            comparator.compare(ItemElement<Item>.of($0).item, ItemElement<Item>.of($1).item)
        }
    }

    /// Whether an element keeps its position when `new` replaces `old`.
    func isSame(_ old: any IndexElement, _ new: any IndexElement) -> Bool {
        compare.map { $0(old, new) == .orderedSame } ?? true
    }

    /// `elements`, which are in the order of the collection, sorted in this order.
    func sorted(_ elements: [any IndexElement]) -> [any IndexElement] {
        guard let compare else { return elements }
        // This sort keeps the order of equal elements.
        return elements.sorted { compare($0, $1) == .orderedAscending }
    }

    /// Inserts `element` at its position in `part`; all of these are elements of `all`.
    func insert(_ element: any IndexElement, into part: inout Elements, of all: Elements) {
        let place = all.position(of: element.id) ?? all.count
        var (low, high) = (0, part.count)
        while low < high {
            let middle = (low + high) / 2
            let other = part[middle]
            switch compare?(other, element) ?? .orderedSame {
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

/// The order by the first of several comparators that tells two values apart.
struct CombinedOrder<Comparator: SortComparator & Sendable>: SortComparator, Sendable {
    let comparators: [Comparator]
    var order = SortOrder.forward

    func compare(_ left: Comparator.Compared, _ right: Comparator.Compared) -> ComparisonResult {
        for comparator in comparators {
            let result = comparator.compare(left, right)
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}
