import FileSystem

extension Directory.Draft {
    /// Adds removed items, each at its old position, and puts replaced ones in the place of the present ones.
    ///
    /// - Parameters:
    ///   - removed: The items in the order in which they come back, each with the folder of its record.
    ///   - change: Called with each item.
    /// - Returns: The items, in their order in the collection.
    /// - Throws: ``DirectoryError`` with `duplicateID`, `nameTaken`, `itemNotFound` or `undecodable`; or the
    ///   error of `change`.
    mutating func bringBack(
        _ removed: [(item: RemovalRecord.Item, folder: FileName)],
        _ change: ((inout Item) throws -> Void)?
    ) throws -> [Item] {
        let operation = "bring back items of"
        var kept = KeptFiles()
        var brought: [Item] = []
        var ids: Set<Item.ID> = []
        for (old, folder) in removed {
            let oldSlot = try coding.slot(from: old.bytes)
            let slot = try change.map { try changed(oldSlot, operation, $0) } ?? oldSlot
            guard ids.insert(slot.item.id).inserted else {
                throw DirectoryError(
                    .duplicateID, operation, url,
                    "the item \(slot.item.id) was removed or replaced more than once",
                    remedy: "Bring back one of its versions.",
                    people: .init(
                        operation: operation, reason: "there are several versions of it",
                        remedy: "Bring back one of them."))
            }
            var owned = old
            if let name = Ownership<Item>.folder(of: slot.item)?.name {
                owned.folder?.name = name
            }
            if let name = Ownership<Item>.file(of: slot.item)?.name {
                owned.file?.name = name
            }
            if old.isReplaced == true, let position = items.index(of: slot.item.id) {
                let present = items.slot(at: position).item
                if hasPlace(of: owned, present) {
                    try planExchange(of: present, for: owned, in: folder, operation)
                } else {
                    kept.add(owned, in: folder)
                }
                replace(at: position, with: slot)
            } else {
                try checkThatIsWhole(old, slot.item, operation)
                kept.add(owned, in: folder)
                if items.contains(id: slot.item.id) { throw isThereAgain(slot.item.id, operation) }
                try checkThatIsFree(slot.item.id)
                insert(slot, at: min(max(0, old.position), items.count))
            }
            brought.append(slot.item)
        }
        if !damaged.isEmpty { placeDamagedLines() }
        returning = Returning(kept: kept)
        return brought.map { (items.index(of: $0.id) ?? 0, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Checks that the record of a replaced item, which is not in the collection, has its folder and its file, and that
    /// no later removal of the item has them.
    private func checkThatIsWhole(
        _ replaced: RemovalRecord.Item, _ item: Item, _ operation: String
    ) throws {
        typealias Owner = Ownership<Item>
        let lacks = [
            Owner.ownsFolders && replaced.folder == nil, Owner.ownsFiles && replaced.file == nil,
        ]
        guard replaced.isReplaced == true, lacks.contains(true),
            let all = try write?.place?.index.folder.allRemoved.flatMap(\.record.items)
        else { return }
        let hasNothing = replaced.folder == nil && replaced.file == nil
        let wasRemoved = all.contains { other in
            guard let other, other.isReplaced != true else { return false }
            return (try? coding.slot(from: other.bytes).item.id) == item.id
        }
        if hasNothing || wasRemoved { throw newerHasPart(of: item.id, "was removed", operation) }
    }

    /// The error for an earlier version of an item that lacks a part of it.
    private func newerHasPart(of id: Item.ID, _ what: String, _ operation: String)
        -> DirectoryError
    {
        DirectoryError(
            .itemNotFound, operation, url,
            "a newer version of the item \(id) \(what), and has a part of it",
            remedy: "Bring back the newer version first.",
            people: .init(
                operation: operation, reason: "a newer version of it \(what)",
                remedy: "Bring back the newer version first."))
    }

    /// The error for a removed item whose id is in the collection again.
    private func isThereAgain(_ id: Item.ID, _ operation: String) -> DirectoryError {
        DirectoryError(
            .duplicateID, operation, url, "the item \(id) is in the collection again",
            remedy: "Remove the present one first; with keepsRemoved it can come back too.",
            people: .init(
                operation: operation, reason: "it is there again",
                remedy: "Remove the present one first."))
    }

    /// Whether `present` has a folder or a file where that of `replaced`, an earlier version of it, belongs.
    private func hasPlace(of replaced: RemovalRecord.Item, _ present: Item) -> Bool {
        let file = Ownership<Item>.file(of: present)?.name
        return replaced.folder != nil
            || replaced.file != nil && replaced.file?.name.folded == file?.folded
    }

    /// Plans to move the folder and the file of `present` away, and those of `replaced` from `kept` to their places.
    private mutating func planExchange(
        of present: Item, for replaced: RemovalRecord.Item, in kept: FileName, _ operation: String
    ) throws {
        guard let index = write?.place?.index else { return }
        if replaced.file == nil, let old = try? coding.slot(from: replaced.bytes).item,
            Ownership<Item>.file(of: old)?.text != Ownership<Item>.file(of: present)?.text
        {
            throw newerHasPart(of: present.id, "was replaced", operation)
        }
        guard coding.options.keepsRemoved != nil else {
            throw DirectoryError(
                .nameTaken, operation, url,
                "the item \(present.id) is in the collection, with another folder or file that would not be kept",
                remedy: "Open the collection with keepsRemoved, so that the newer version is kept.",
                people: .init(
                    operation: "bring back items of", reason: "a newer version of it is there",
                    remedy: "Remove the newer version first."))
        }
        let names = index.snapshot.names.value
        for entry in try index.folder.entries(of: present, except: index.folder.allStems)
        where names.owner(of: entry) == present.id {
            guard (entry.assets == nil ? replaced.folder : replaced.file) != nil else { continue }
            try exchange.leave(entry.name, of: present.id, in: entry.assets)
        }
        if let folder = replaced.folder { exchange.arrive(folder, in: kept, to: nil) }
        if let file = replaced.file { exchange.arrive(file, in: kept, to: index.folder.names.stem) }
    }
}
