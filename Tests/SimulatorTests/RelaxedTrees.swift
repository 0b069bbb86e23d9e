import StoreModel

/// What a store may hold whose collections are relaxed: of each collection the first changes, up to any of them, and of a
/// write to several collections all changes or none.
struct RelaxedTrees {
    /// Which changes the store has of each collection, and what it holds then.
    private var states: [(counts: [Place: Int], tree: Tree)] = []
    private let before: [Place: Int]
    private let after: [Place: Int]

    /// The possible states after `steps`, one for each of `operations`.
    init(_ operations: [StoreOperation], _ steps: [Step], from start: Tree) {
        let changes = zip(operations, steps).map { Change(operation: $0, step: $1) }
        before = Self.durable(changes.dropLast())
        after = Self.durable(changes[...])
        var choices: [[Place: Int]] = [[:]]
        for (place, count) in Self.counts(changes) {
            choices = choices.flatMap { choice in
                (0...count).map { choice.merging([place: $0]) { _, new in new } }
            }
        }
        for choice in choices {
            if let tree = Self.tree(with: choice, of: changes, from: start) {
                states.append((choice, tree.visible))
            }
        }
    }

    var trees: [Tree] { states.map(\.tree) }

    /// Which of ``trees`` keep all promises, before and after the acknowledgement of the last operation.
    var allowed: [Set<Int>] {
        [before, after].map { durable in
            Set(
                states.indices.filter { index in
                    durable.allSatisfy { states[index].counts[$0, default: 0] >= $1 }
                })
        }
    }

    /// The tree with the first changes of each collection; nil if it has a part of a write to several collections.
    private static func tree(with counts: [Place: Int], of changes: [Change], from start: Tree)
        -> Tree?
    {
        var (tree, left) = (start, counts)
        for change in changes {
            let isThere = Set(change.places.map { left[$0, default: 0] > 0 })
            guard isThere.count < 2 else { return nil }
            guard isThere == [true] else { continue }
            for place in change.places { left[place, default: 0] -= 1 }
            tree = change.step.applied(to: tree) ?? tree
        }
        return tree
    }

    private static func counts(_ changes: some Sequence<Change>) -> [Place: Int] {
        changes.flatMap(\.places).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// How many changes of each collection are on stable storage after `changes`.
    private static func durable(_ changes: ArraySlice<Change>) -> [Place: Int] {
        var durable: [Place: Int] = [:]
        for (position, change) in zip(changes.indices, changes) {
            let done = counts(changes[...position])
            if change.operation == .checkpoint {
                durable = done
            } else if change.isDurable {
                for place in change.places { durable[place] = done[place] }
            }
        }
        return durable
    }

    /// A step, and the collections that it changes.
    private struct Change {
        let operation: StoreOperation
        let step: Step
        var places: Set<Place> { step.places }
        /// Whether it is on stable storage when it is acknowledged, with all earlier changes of its collections.
        var isDurable: Bool { places.count > 1 || operation == .importTwoPhotos }
    }
}

extension Step {
    /// The collections that change.
    fileprivate var places: Set<Place> {
        switch self {
        case .write(let steps, _): Set(steps.flatMap(\.places))
        case .transferPhotos(_, let path, let newPath): [.photos(path), .photos(newPath)]
        case .transferBox(_, let shelf, let newShelf): [.boxes(shelf), .boxes(newShelf)]
        default: Set([place].compactMap(\.self))
        }
    }
}

extension StoreOperation {
    /// The operations of relaxed workloads.
    static let relaxed: [StoreOperation] =
        [
            .insertNote, .updateNote, .moveNote, .removeNote, .moveBox, .importTwoPhotos,
            .checkpoint, .transferBox, .transferPhoto,
        ] + treeWrites
}
