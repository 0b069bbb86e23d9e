import Directory
import FileSystem

extension Session {
    /// Brings the collections in line with the state, and returns how many items have changed.
    ///
    /// It is one commit, unless the process cannot have so many files open: then there are several ones, which change
    /// fewer collections each.
    ///
    /// - Throws: ``ChangedMeanwhile`` if somebody changed a collection after it was compared with the base.
    mutating func importChanges(_ open: OpenReplica) throws -> Int {
        (notes.pending, notes.unreadable) = ([], [])
        do {
            return try importChanges(of: unsettled, before: [], open)
        } catch let error where error.isLackOfOpenFiles {
            return try importInParts(open)
        }
    }

    /// Brings the items of one commit in line with the state; `later` are the items of the next commits.
    mutating func importChanges(
        of items: Set<ItemReference>, before later: [ItemReference], _ open: OpenReplica
    ) throws -> Int {
        var avoidsTakenNames = false
        var staying = withContainers(
            unreadable.keys.compactMap(\.owner) + notes.unreadAssets.keys)
        // Each try knows of one more name, item or file that is in the way.
        while true {
            try cancellation.check()
            do {
                let (plan, below) = try plan(
                    items, before: later, open, avoidsTakenNames: avoidsTakenNames, staying)
                if let count = try carryOut(plan, below, open) {
                    unsettled.subtract(items)
                    unsettled.formUnion(plan.unsettled)
                    let (pending, unreadable) = (plan.notes.pending, plan.notes.unreadable)
                    notes.unreadAssets.merge(plan.notes.unreadAssets) { first, _ in first }
                    notes.pending += pending.filter { new in
                        !notes.pending.contains { $0.item == new.item }
                    }
                    notes.unreadable += unreadable.filter { !notes.unreadable.contains($0) }
                    return count
                }
            } catch let error as DirectoryError where error.code == .nameTaken && !avoidsTakenNames
            {
                avoidsTakenNames = true
            } catch let error as DirectoryError
                where error.code == .nameTaken && !withoutFile.isEmpty
            {
                // A file that was missing may be there again, or be replaced.
                throw ChangedMeanwhile()
            } catch let error as UnreadableItems where !staying.isSuperset(of: error.staying) {
                staying.formUnion(withContainers(error.staying))
            }
        }
    }

    /// Items of the base, and the containers that they are in.
    private func withContainers(_ items: [ItemReference]) -> Set<ItemReference> {
        var found: Set<ItemReference> = []
        for item in items {
            var next: ItemReference? = item
            while let item = next, found.insert(item).inserted {
                next = CollectionReference(item.kind, in: known.base[item]?.container).owner
            }
        }
        return found
    }

    /// Plans an import; the collections with plans are also below those that lead to them.
    ///
    /// The planner ends here: while it has the base, that would be copied when it changes.
    private func plan(
        _ items: Set<ItemReference>, before later: [ItemReference], _ open: OpenReplica,
        avoidsTakenNames: Bool, _ staying: Set<ItemReference>
    ) throws -> (plan: ImportPlan, below: [CollectionReference: [CollectionReference]]) {
        let useless = uselessAssets
        var planner = ImportPlanner(
            known, kinds, kindsFromTop,
            isHere: { try open.shared.findAsset($0, beside: useless) != nil },
            bringBack: { item, shown in
                guard let name = shown.fileName else { return }
                _ = try sendAsset(name, .init(item.kind, in: shown.container), open)
            }, takenNames: takenNames, namesOfAssets: namesOfAssets)
        (planner.avoidsTakenNames, planner.staying) = (avoidsTakenNames, staying)
        (planner.unreadable, planner.later) = (Set(unreadable.keys), Set(later))
        planner.withoutFile = withoutFile
        try planner.run(for: items)
        // Until they are imported, changes that people make to them here have not seen those of the others.
        for item in later where planner.verdicts[item] == nil && !planner.gone.contains(item) {
            guard var shown = known.base[item], shown.seen == nil else { continue }
            shown.seen = known.shown
            planner.plan.change.items.append((item, shown))
        }
        return (planner.plan, planner.plan.below(known.base, planner.verdicts))
    }

    /// The names that no container of a collection can get, beside `names`, which its items have.
    func takenNames(_ collection: CollectionReference, beside names: [String]) throws
        -> Set<String>
    {
        try localCollection(collection)?.takenNames(beside: names) ?? []
    }

    private func namesOfAssets(_ collection: CollectionReference) throws -> Set<FileName> {
        try localCollection(collection)?.namesOfAssets ?? []
    }

    /// Carries out a plan; nil if a file has wrong bytes.
    private mutating func carryOut(
        _ plan: ImportPlan, _ below: [CollectionReference: [CollectionReference]],
        _ open: OpenReplica
    ) throws -> Int? {
        var plan = plan
        if plan.isEmpty {
            if !plan.change.isEmpty { try record(.imported(plan.change), open.files) }
            return 0
        }
        var stage: Stage?
        if !plan.transfers.isEmpty {
            guard let filled = try fillStage(&plan, open.shared) else { return nil }
            stage = filled
        }
        var lines = rootLines
        for step in environment.steps.importing {
            switch step {
            case .save: break  // `join` has done that.
            case .commit:
                let writer = PlanWriter(
                    base: known.base, plans: plan.collections, below: below, kinds: kinds)
                lines = try root.apply(writer, stage, to: rootLines)
            case .record: try record(.imported(plan.change), open.files)
            }
        }
        rootLines = lines
        for collection in plan.collections.keys { marks[collection] = nil }
        withoutFile.subtract(plan.transfers.map(\.item))
        return plan.itemCount
    }

    /// Makes a stage with the files of a plan; nil if the bytes of some are not those of their names.
    private mutating func fillStage(_ plan: inout ImportPlan, _ shared: SharedFolder) throws
        -> Stage?
    {
        let stage = try root.collection.makeStage()
        var isWhole = true
        for (number, transfer) in plan.transfers.enumerated() {
            try cancellation.check()
            // All files are tried, so that the next plan knows all wrong ones.
            if try !add(transfer, to: stage, shared) { isWhole = false }
            plan.collections[transfer.collection]?.files[transfer.item.key] = number
        }
        return isWhole ? stage : nil
    }

    /// Adds a file to a stage, and returns whether its bytes are those of its name.
    private mutating func add(
        _ transfer: ImportPlan.Transfer, to stage: Stage, _ shared: SharedFolder
    ) throws -> Bool {
        let (file, disk) = (transfer.file, root.collection.disk)
        while let (name, status) = try shared.findAsset(file, beside: uselessAssets) {
            do {
                guard let source = try shared.openAsset(name, of: file) else { return false }
                // A large file takes no space in the collection before its bytes are known to be right.
                if file.size > options.uncheckedCopySize {
                    try SharedFolder.check(source.handle, on: shared.disk, file)
                }
                _ = try stage.add(source, name: transfer.name) { copy in
                    try SharedFolder.check(copy, on: disk, file)
                }
                return true
            } catch let error as FileSystemError where error.isAboutOneFile {
                // It waits, as one that is not here yet.
                uselessAssets.unreachable.insert(name)
                notes.skipped.append(
                    .init(path: SharedFolder.path(ofAsset: name), reason: error.reason))
            } catch let error as WrongBytes {
                // It stays: an engine would carry its removal to the others, and one of them may have the only right file.
                uselessAssets.wrong[name] = status
                notes.skipped.append(
                    .init(path: SharedFolder.path(ofAsset: name), reason: "\(error)"))
            }
        }
        return false
    }
}
