import FileSystem

extension StagedCopy {
    /// Adds the items of the copy to `draft`, of the collection in `index`, with their folders and files.
    ///
    /// `change` is called with each new item, and `decide` with each pair of different items with the same id.
    ///
    /// - Returns: The ids of the items that were added, replaced and kept, and the files that were not used.
    /// - Throws: ``Busy``; ``DirectoryError``, such as `duplicateID`; the errors of the closures.
    func merge(
        into draft: inout Directory<Item>.Draft, of index: IndexFolder,
        _ change: ((inout Item) throws -> Void)?,
        _ decide: (_ mine: Item, _ theirs: Item) throws -> Directory<Item>.MergeChoice
    ) throws -> Directory<Item>.MergeReport {
        var report = Directory<Item>.MergeReport()
        report.unused = unused
        var exchange = Exchange<Item.ID>()
        exchange.number = number
        let names = OwnedNames<Item.ID>(of: draft.items)
        for slot in snapshot.items.slots {
            let theirs = slot.item
            guard let position = draft.items.index(of: theirs.id) else {
                let new = try change.map { try draft.changed(slot, "merge", $0) } ?? slot
                try add(new, from: slot, to: &draft, &exchange, index)
                report.added.append(new.item.id)
                continue
            }
            let mine = draft.items.slot(at: position)
            if try draft.coding.areSame(mine.line, slot.line)
                && areSame(mine.item, names, in: index)
            {
                continue
            }
            switch try decide(mine.item, theirs) {
            case .keepMine: report.kept.append(theirs.id)
            case .takeTheirs:
                for entry in try entries(of: mine.item, in: index)
                where names.owner(of: entry) == theirs.id {
                    try exchange.leave(entry.name, of: theirs.id, in: entry.assets)
                }
                draft.replace(at: position, with: slot)
                try bring(slot.item, as: slot.item, &exchange, index)
                report.replaced.append(theirs.id)
            case .keepBoth(let other):
                let new = try draft.coding.slot(of: other, replacing: slot)
                try add(new, from: slot, to: &draft, &exchange, index)
                report.kept.append(theirs.id)
                report.added.append(new.item.id)
            }
        }
        draft.exchange = exchange
        return report
    }

    private func add(
        _ new: Directory<Item>.Items.Slot, from slot: Directory<Item>.Items.Slot,
        to draft: inout Directory<Item>.Draft, _ exchange: inout Exchange<Item.ID>,
        _ index: IndexFolder
    ) throws {
        try draft.checkThatIsFree(new.item.id)
        draft.insert(new, at: draft.items.count)
        try bring(slot.item, as: new.item, &exchange, index)
    }

    /// Plans to move the folder and the file of `item` from the copy, under the names that `new` has for them.
    private func bring(
        _ item: Item, as new: Item, _ exchange: inout Exchange<Item.ID>, _ index: IndexFolder
    ) throws {
        for entry in try entries(of: item, in: folder)
        where snapshot.names.value.owner(of: entry) == item.id {
            let owned =
                entry.assets == nil
                ? Ownership<Item>.folder(of: new) : Ownership<Item>.file(of: new)
            guard let name = owned?.name else { continue }
            exchange.arrive(
                entry.name, in: entry.assets, as: name,
                to: entry.assets == nil ? nil : index.names.stem)
        }
    }

    /// Whether the copy has the same folder and file for an item with the same line.
    private func areSame(_ item: Item, _ names: OwnedNames<Item.ID>, in index: IndexFolder) throws
        -> Bool
    {
        let (here, there) = try (
            entries(of: item, in: index), entries(of: item, in: folder)
        )
        guard here.map(key) == there.map(key) else { return false }
        return try here.allSatisfy { entry in
            try names.owner(of: entry) == item.id && isSame(entry, in: index)
        }
    }
}
