import Directory
import Synchronization

/// The changes that an import makes to one collection.
struct CollectionPlan: Sendable {
    var collection: CollectionReference
    var removed: [ItemKey] = []
    /// New lines, of items that are there and of new ones.
    var lines: [ItemKey: IndexLine] = [:]
    /// The items that get another place, and new ones, in the order in which they follow each other, each with the item
    /// before it; nil for the front.
    var placed: [(key: ItemKey, predecessor: ItemKey?)] = []
    /// The numbers, in the stage, of the files that items get.
    var files: [ItemKey: Int] = [:]
    /// Whether the import adds the container, so that the collection is empty.
    var isNew = false
    /// Whether the import removes the container, with everything in the collection.
    var goes = false

    init(_ collection: CollectionReference) { self.collection = collection }

    var isEmpty: Bool { removed.isEmpty && lines.isEmpty && placed.isEmpty && files.isEmpty }
}

/// Somebody changed a collection after it was compared with the base.
struct ChangedMeanwhile: Error {}

/// Something on this device cannot be read, and others may not have it: items in a collection, or the file of an item.
///
/// Items are not removed with their container. Nor do they stay as the only elements, because then the collection could
/// not be opened.
struct UnreadableItems: Error {
    /// The items that have to stay because of them.
    let staying: [ItemReference]
}

/// Applies plans to the drafts of a commit.
///
/// It is called again if the commit has to be tried again, so it keeps nothing but the files of the stage.
final class PlanWriter: Sendable {
    let base: Base
    let plans: [CollectionReference: CollectionPlan]
    /// The collections below each collection that have plans, or lead to some.
    let below: [CollectionReference: [CollectionReference]]
    let kinds: [String: Binding]
    private let assets = Mutex<[StagedAsset]>([])

    init(
        base: Base, plans: [CollectionReference: CollectionPlan],
        below: [CollectionReference: [CollectionReference]], kinds: [String: Binding]
    ) {
        (self.base, self.plans, self.below, self.kinds) = (base, plans, below, kinds)
    }

    func begin(_ staged: [StagedAsset]) { assets.withLock { $0 = staged } }
}

extension PlanWriter {
    /// Applies the plan of a collection, and those below it.
    ///
    /// - Throws: ``ChangedMeanwhile`` if the collection differs from the base.
    func apply(
        to draft: inout ElementDraft, _ collection: CollectionReference, _ binding: Binding,
        isKnown: Bool = false
    ) throws {
        let plan = plans[collection]
        if plan?.isNew != true, !isKnown { try check(draft, collection, binding) }
        if plan?.goes == true, draft.hasDamagedLines {
            throw UnreadableItems(staying: collection.owner.map { [$0] } ?? [])
        }
        if let plan {
            for key in plan.removed {
                try checkContents(of: ItemReference(collection.kind, key), in: &draft, binding)
            }
            try change(&draft, plan, binding)
            if draft.hasDamagedLines, draft.lines.isEmpty, !plan.goes {
                throw UnreadableItems(
                    staying: plan.removed.map { ItemReference(collection.kind, $0) })
            }
        }
        for inner in below[collection] ?? [] {
            guard let key = inner.container, let child = kinds[inner.kind] else { continue }
            try applyInside(key, of: binding, child, &draft)
        }
    }

    /// Applies plans to the collection `child` that the item with `key` of a draft holds.
    private func applyInside(
        _ key: ItemKey, of binding: Binding, _ child: Binding, _ draft: inout ElementDraft
    ) throws {
        guard let id = binding.id(of: key) else { return }
        try draft.change(child.name, child.coding, of: id) { inner in
            try apply(to: &inner, CollectionReference(child.kind, in: key), child)
        }
    }

    private func check(
        _ draft: ElementDraft, _ collection: CollectionReference, _ binding: Binding
    ) throws {
        let order = base.orders[collection] ?? []
        let shown = base.items[collection.kind] ?? .init()
        guard draft.lines.count == order.count else { throw ChangedMeanwhile() }
        for (position, key) in order.enumerated() {
            let line = draft.lines[position]
            guard binding.key(of: line.id, in: collection.container) == key,
                shown[key]?.line == line.bytes
            else { throw ChangedMeanwhile() }
        }
    }

    /// Locks the collections in a container that is to be removed, and checks that they are as in the base.
    private func checkContents(
        of item: ItemReference, in draft: inout ElementDraft, _ binding: Binding
    ) throws {
        guard !binding.children.isEmpty, let id = binding.id(of: item.key),
            draft.lines.contains(id)
        else { return }
        let check = PlanWriter(base: base, plans: removals(in: item), below: [:], kinds: kinds)
        for child in binding.children {
            try check.applyInside(item.key, of: binding, child, &draft)
        }
    }

    /// Plans that remove everything in a container, so that all of it is checked.
    private func removals(in item: ItemReference) -> [CollectionReference: CollectionPlan] {
        var plans: [CollectionReference: CollectionPlan] = [:]
        for kind in kinds.keys where Kind.parent(of: kind) == item.kind {
            let collection = CollectionReference(kind, in: item.key)
            var plan = CollectionPlan(collection)
            plan.removed = base.orders[collection] ?? []
            plan.goes = true
            plans[collection] = plan
            for key in plan.removed {
                plans.merge(removals(in: ItemReference(kind, key))) { first, _ in first }
            }
        }
        return plans
    }

    private func change(
        _ draft: inout ElementDraft, _ plan: CollectionPlan, _ binding: Binding
    ) throws {
        func id(_ key: ItemKey) throws -> ElementID {
            guard let id = binding.id(of: key) else { throw ChangedMeanwhile() }
            return id
        }
        try draft.removeLines(plan.removed.map(id))
        let placed = Set(plan.placed.lazy.map(\.key))
        for (key, line) in plan.lines {
            let isThere = try !placed.contains(key) || draft.lines.contains(id(key))
            if isThere { try draft.replace(by: line) }
        }
        var waiting: [IndexLine] = []
        var last: ItemKey?
        for (key, predecessor) in plan.placed {
            if let new = plan.lines[key], !draft.lines.contains(try id(key)) {
                // A run of new items at the end is added at once.
                let end = waiting.isEmpty ? draft.lines.last?.id : try last.map(id)
                if try predecessor.map(id) == end {
                    waiting.append(new)
                    last = key
                    continue
                }
                try draft.append(waiting)
                waiting = []
                try draft.insert(new, behind: predecessor.map(id))
            } else {
                try draft.append(waiting)
                waiting = []
                try draft.move(id(key), behind: predecessor.map(id))
            }
        }
        try draft.append(waiting)
        let assets = assets.withLock { $0 }
        for (key, number) in plan.files where assets.indices.contains(number) {
            draft.give(assets[number], to: try id(key))
        }
    }
}
