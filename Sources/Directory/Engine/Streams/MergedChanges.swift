/// One or more changes that follow each other, as one change.
///
/// It has at most the ids of the elements before the first and after the last change, however many
/// changes it merges.
struct MergedChanges: Sendable {
    private let before: Elements
    private var after: Elements
    private var origin: ChangeOrigin
    /// The change, if it is only one.
    private var single: ElementChange?
    /// The ids of elements at either end that can differ; empty if there were no elements before.
    private var touched: Set<ElementID> = []
    private var mayBeReordered = false

    init(_ change: ElementChange) {
        (before, after, origin) = (change.before, change.after, change.origin)
        single = change
    }

    /// Adds `next`, which follows the changes so far.
    mutating func add(_ next: ElementChange) {
        if let single { addIDs(of: single) }
        single = nil
        addIDs(of: next)
        after = next.after
        if next.origin == .otherProcess { origin = .otherProcess }
    }

    private mutating func addIDs(of change: ElementChange) {
        if before.isEmpty { return }
        // The versions at both ends stay anyway; of those in between, only the ids.
        for id in change.updated where !touched.contains(id) { touched.insert(id.alone) }
        for id in change.removed {
            if before.contains(id) { touched.insert(id.alone) } else { touched.remove(id) }
        }
        for id in change.inserted {
            touched.insert(id.alone)
            // The element was removed before, and may have another place now.
            if before.contains(id) { mayBeReordered = true }
        }
        if change.isReordered { mayBeReordered = true }
    }

    /// The difference between the two ends.
    var change: ElementChange {
        if let single { return single }
        let change = ElementChange(from: before, to: after, by: origin, touching: touched)
        return mayBeReordered ? change.withOrder : change
    }
}
