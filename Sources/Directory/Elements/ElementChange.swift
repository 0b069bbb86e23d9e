/// The difference between two states of an index that follow each other.
///
/// A class, so that handing it on costs one reference.
final class ElementChange: Sendable {
    /// The ids of new elements, in the order of ``after``.
    let inserted: [ElementID]
    /// The ids of elements whose lines changed, in the order of ``after``.
    let updated: [ElementID]
    /// The ids of elements that were removed, in the order of ``before``.
    let removed: [ElementID]
    /// Whether the elements that are in both states have a different order.
    let isReordered: Bool
    let before: Elements
    let after: Elements
    let origin: ChangeOrigin
    /// The ids of the elements whose removal makes both orders equal; nil if the change was read from disk.
    let moved: Set<ElementID>?

    init(
        from before: Elements, to after: Elements, by origin: ChangeOrigin,
        inserted: [ElementID] = [], updated: [ElementID] = [], removed: [ElementID] = [],
        isReordered: Bool = false, moved: Set<ElementID>? = nil
    ) {
        (self.before, self.after, self.origin) = (before, after, origin)
        (self.inserted, self.updated, self.removed) = (inserted, updated, removed)
        (self.isReordered, self.moved) = (isReordered, moved)
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

    /// This change, after a comparison of the order of all elements that are in both states.
    var withOrder: ElementChange {
        let (gone, new) = (Set(removed), Set(inserted))
        let olds = before.lazy.filter { !gone.contains($0.id) }
        let news = after.lazy.filter { !new.contains($0.id) }
        return ElementChange(
            from: before, to: after, by: origin, inserted: inserted, updated: updated,
            removed: removed, isReordered: !olds.elementsEqual(news) { $0.id == $1.id })
    }

    /// Whether an element is removed that can own a folder or a file, or gets another name for one.
    var movesOwned: Bool {
        removed.contains { id in before[id]?.folder != nil || before[id]?.file != nil }
            || !keepsNamesOfUpdated
    }

    /// Whether each updated element has the names for its folder and its file that it had before.
    var keepsNamesOfUpdated: Bool {
        updated.allSatisfy { id in
            guard let old = before[id], let new = after[id] else { return false }
            return new.hasNames(of: old)
        }
    }
}
