import StoreModel

/// What a store may hold whose collections are relaxed: of each collection the first changes, up to any of them.
struct RelaxedTrees {
    /// Which changes the store has of each collection, and what it holds then.
    private var states: [(counts: [StoreOperation.Collection: Int], tree: Tree)] = []
    private let before: [StoreOperation.Collection: Int]
    private let after: [StoreOperation.Collection: Int]

    /// The possible states after `steps`, one for each of `operations`.
    init(_ operations: [StoreOperation], _ steps: [Step], from start: Tree) {
        let all = Self.counts(operations)
        before = Self.durable(operations.dropLast())
        after = Self.durable(operations[...])
        var choices: [[StoreOperation.Collection: Int]] = [[:]]
        for (collection, count) in all {
            choices = choices.flatMap { choice in
                (0...count).map { choice.merging([collection: $0]) { _, new in new } }
            }
        }
        for choice in choices {
            var (tree, left) = (start, choice)
            for (operation, step) in zip(operations, steps) {
                guard let collection = operation.collection, left[collection, default: 0] > 0
                else { continue }
                left[collection, default: 0] -= 1
                tree = step.applied(to: tree) ?? tree
            }
            states.append((choice, tree.visible))
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

    private static func counts(_ operations: some Sequence<StoreOperation>)
        -> [StoreOperation.Collection: Int]
    {
        operations.compactMap(\.collection).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// How many changes of each collection are on stable storage after `operations`.
    private static func durable(_ operations: ArraySlice<StoreOperation>)
        -> [StoreOperation.Collection: Int]
    {
        var durable: [StoreOperation.Collection: Int] = [:]
        for (position, operation) in zip(operations.indices, operations) {
            let done = counts(operations[...position])
            if operation == .checkpoint {
                durable = done
            } else if let collection = operation.collection, operation.movesFiles {
                durable[collection] = done[collection]
            }
        }
        return durable
    }
}

extension StoreOperation {
    /// The operations of relaxed workloads, each of which changes one collection at the most.
    static let relaxed: [StoreOperation] = [
        .insertNote, .updateNote, .moveNote, .removeNote, .moveBox, .importTwoPhotos, .checkpoint,
    ]

    enum Collection { case notes, boxes, photos }

    /// The collection that the operation changes; nil for a checkpoint, which changes none.
    fileprivate var collection: Collection? {
        switch self {
        case .insertNote, .updateNote, .moveNote, .removeNote: .notes
        case .importTwoPhotos: .photos
        case .checkpoint: nil
        default: .boxes
        }
    }

    fileprivate var movesFiles: Bool { self == .importTwoPhotos }
}
