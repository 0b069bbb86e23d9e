/// The contents of a view of a collection: some of its elements, in the order of the view.
protocol Arrangement: Sendable {
    /// The value for readers; costs nothing to copy.
    associatedtype Value: Sendable

    var value: Value { get }

    /// Whether `value` has the same elements in the same positions.
    func isSame(as value: Value) -> Bool

    /// Arranges `elements` from the beginning.
    mutating func rebuild(from elements: Elements)

    /// The position of the element with `id`; nil if the view does not have it.
    func position(of id: ElementID) -> ViewPosition?

    /// Removes the element with `id`; returns false if the view does not have it.
    mutating func remove(_ id: ElementID) -> Bool

    /// Inserts `element`, which is one of `all`, at its position; returns false if the view does not include it.
    mutating func insert(_ element: any IndexElement, of all: Elements) -> Bool

    /// Replaces `old` by `element`, which has the same id; returns false if the view does not have `old`, or `element`
    /// belongs to another position.
    mutating func replace(_ old: any IndexElement, by element: any IndexElement) -> Bool
}

/// The position of an element in a view.
struct ViewPosition: Equatable {
    var section = 0
    var position: Int
}

extension Arrangement {
    /// Applies `change`, and returns whether the view has changed.
    mutating func apply(_ change: ElementChange) -> Bool {
        let moved = change.movedIDs
        let count = change.inserted.count + change.updated.count + change.removed.count
        if count + moved.count > 64 + change.after.count / 8 {
            let old = value
            rebuild(from: change.after)
            return !isSame(as: old)
        }
        let positions = moved.map { position(of: $0) }
        let movedAndUpdated = moved.intersection(change.updated)
        var isChanged = false
        // First, all elements that can get another position are removed, so that the rest is in order.
        for id in change.removed where remove(id) { isChanged = true }
        for id in moved where remove(id) && movedAndUpdated.contains(id) { isChanged = true }
        var arriving = change.inserted
        for id in change.updated where !movedAndUpdated.contains(id) {
            guard let old = change.before[id], let new = change.after[id] else { continue }
            if replace(old, by: new) {
                isChanged = true
            } else {
                if remove(id) { isChanged = true }
                arriving.append(id)
            }
        }
        for id in arriving where insert(id, of: change.after) { isChanged = true }
        for id in moved where insert(id, of: change.after) && movedAndUpdated.contains(id) {
            isChanged = true
        }
        return isChanged || positions != moved.map { position(of: $0) }
    }

    private mutating func insert(_ id: ElementID, of all: Elements) -> Bool {
        all[id].map { insert($0, of: all) } ?? false
    }
}
