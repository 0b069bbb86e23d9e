/// The difference between two states of an index that follow each other.
struct ElementChange: Sendable {
    /// The ids of new elements, in the order of ``after``.
    var inserted: [ElementID] = []
    /// The ids of elements whose lines changed, in the order of ``after``.
    var updated: [ElementID] = []
    /// The ids of elements that were removed, in the order of ``before``.
    var removed: [ElementID] = []
    /// Whether the elements that are in both states have a different order.
    var isReordered = false
    let before: Elements
    let after: Elements
    let origin: ChangeOrigin

    /// The ids of the elements whose removal makes both orders equal; nil if the change was read from disk.
    var moved: Set<ElementID>?

    /// No change, unless the properties are set.
    init(from before: Elements, to after: Elements, by origin: ChangeOrigin) {
        self.before = before
        self.after = after
        self.origin = origin
    }

    /// Whether nothing changed.
    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && removed.isEmpty && !isReordered
    }
}

/// Which processes made a change.
public enum ChangeOrigin: Sendable {
    /// This process made the whole change.
    ///
    /// This includes the changes that this process completed for a process that died.
    case here
    /// Another process, or an earlier run of this one, made at least a part of the change.
    ///
    /// The change was read from disk. So the change of the first load has this origin.
    case otherProcess
}

extension ElementChange {
    /// An element that moved, with its old and its new position.
    struct Move {
        let id: ElementID
        let old: Int
        let new: Int
    }

    /// The fewest elements whose removal makes both orders equal.
    var moves: [Move] {
        if !isReordered { return [] }
        let inserted = Set(inserted)
        var olds: [Int] = []
        var moves: [Int: Move] = [:]
        for (position, element) in after.enumerated() where !inserted.contains(element.id) {
            guard let old = before.position(of: element.id) else { continue }
            olds.append(old)
            moves[old] = Move(id: element.id, old: old, new: position)
        }
        return olds.outOfOrder.compactMap { moves[$0] }
    }

    /// The ids of moved elements: without these, both states have the same order.
    var movedIDs: Set<ElementID> {
        isReordered ? moved ?? Set(moves.map(\.id)) : []
    }

    /// Whether the common elements of both states have another order; compares all of them.
    var hasOtherOrder: Bool {
        let (removed, inserted) = (Set(removed), Set(inserted))
        let olds = before.lazy.filter { !removed.contains($0.id) }
        let news = after.lazy.filter { !inserted.contains($0.id) }
        return !olds.elementsEqual(news) { $0.id == $1.id }
    }
}
