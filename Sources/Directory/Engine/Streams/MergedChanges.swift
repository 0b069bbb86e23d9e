/// One or more changes that follow each other, as one change.
///
/// It has at most the ids of the items before the first and after the last change, however many
/// changes it merges.
struct MergedChanges<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Change = Directory<Item>.Change

    private let before: Directory<Item>.Items
    private var after: Directory<Item>.Items
    private var origin: Change.Origin
    /// The change, if it is only one.
    private var single: Change?
    /// The ids of items at either end that can differ; empty if there were no items before.
    private var touched: Set<Item.ID> = []
    private var mayBeReordered = false

    init(_ change: Change) {
        (before, after, origin) = (change.before, change.after, change.origin)
        single = change
    }

    /// Adds `next`, which follows the changes so far.
    mutating func add(_ next: Change) {
        if let single { addIDs(of: single) }
        single = nil
        addIDs(of: next)
        after = next.after
        if next.origin == .otherProcess { origin = .otherProcess }
    }

    private mutating func addIDs(of change: Change) {
        if before.isEmpty { return }
        touched.formUnion(change.updated)
        for id in change.removed {
            if before.contains(id: id) { touched.insert(id) } else { touched.remove(id) }
        }
        for id in change.inserted {
            touched.insert(id)
            // The item was removed before, and may have another place now.
            if before.contains(id: id) { mayBeReordered = true }
        }
        if change.isReordered { mayBeReordered = true }
    }

    /// The difference between the two ends.
    var change: Change {
        if let single { return single }
        var change = Change(from: before, to: after, by: origin, touching: touched)
        if mayBeReordered { change.isReordered = change.hasOtherOrder }
        return change
    }
}

extension Directory.Change {
    /// Whether the common items of both states have another order; compares all of them.
    fileprivate var hasOtherOrder: Bool {
        let (removed, inserted) = (Set(removed), Set(inserted))
        let olds = before.slots.lazy.filter { !removed.contains($0.item.id) }
        let news = after.slots.lazy.filter { !inserted.contains($0.item.id) }
        return !olds.elementsEqual(news) { $0 === $1 || $0.item.id == $1.item.id }
    }
}
