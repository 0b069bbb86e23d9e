import FileSystem

extension Directory.Draft {
    /// Adds removed items, each at its old position; an item whose file was replaced gets its old file.
    ///
    /// - Parameters:
    ///   - removed: The items in the order of their positions, each with the folder of its record.
    ///   - change: Called with each item.
    /// - Returns: The items.
    /// - Throws: ``DirectoryError`` with `duplicateID`, `nameTaken` or `undecodable`; or the error of `change`.
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
            if let name = Ownership<Item>.folderName(of: slot.item).flatMap(FileName.init) {
                owned.folder?.name = name
            }
            if let name = Ownership<Item>.fileName(of: slot.item).flatMap(FileName.init) {
                owned.file?.name = name
            }
            kept.add(owned, in: folder)
            if old.isReplaced == true, let position = items.index(of: slot.item.id) {
                try checkThatPlaceIsFree(owned, of: items.slot(at: position).item, operation)
                replace(at: position, with: slot)
            } else {
                try checkThatIsFree(slot.item.id)
                insert(slot, at: min(old.position, items.count))
            }
            brought.append(slot.item)
        }
        if !damaged.isEmpty { placeDamagedLines() }
        returning = Returning(kept: kept)
        return brought
    }

    /// Checks that the folder or the file of a replaced item has not the place of the one that `present` has now.
    private func checkThatPlaceIsFree(
        _ replaced: RemovalRecord.Item, of present: Item, _ operation: String
    ) throws {
        let file = Ownership<Item>.fileName(of: present).flatMap(FileName.init)
        guard
            replaced.folder != nil
                || replaced.file != nil && replaced.file?.name.folded == file?.folded
        else { return }
        throw DirectoryError(
            .nameTaken, operation, url,
            "the item \(present.id) is in the collection, with what took the place of its folder or file",
            remedy: "Remove that item first, which keeps it too.",
            people: .init(
                operation: "bring back items of", reason: "a newer version of it is there",
                remedy: "Remove the newer version first. It is kept too."))
    }
}
