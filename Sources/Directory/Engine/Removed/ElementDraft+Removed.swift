import FileSystem

extension ElementDraft {
    /// Adds removed elements, each at its old position, and puts replaced ones in the place of the present ones.
    ///
    /// - Parameters:
    ///   - removed: The elements in the order in which they come back, each with the folder of its record.
    ///   - change: Called with each element.
    /// - Returns: The elements, in their order in the collection.
    /// - Throws: ``DirectoryError`` with `duplicateID`, `nameTaken`, `itemNotFound` or `undecodable`; or the
    ///   error of `change`.
    mutating func bringBack(
        _ removed: [(item: RemovalRecord.Item, folder: FileName)],
        _ change: (any IndexElement) throws -> any IndexElement
    ) throws -> [any IndexElement] {
        let operation = "bring back items of"
        guard let assets = write?.place?.index.folder.names.stem else { return [] }
        var kept: [Move] = []
        var ids: Set<ElementID> = []
        for (old, folder) in removed {
            let element = try change(reader.element(on: old.bytes))
            guard ids.insert(element.id).inserted else {
                throw DirectoryError(
                    .duplicateID, operation, url,
                    "the item \(element.id.text) was removed or replaced more than once",
                    remedy: "Bring back one of its versions.",
                    people: .init(
                        operation: operation, reason: "there are several versions of it",
                        remedy: "Bring back one of them."))
            }
            var owned = old
            if let name = element.folder?.name { owned.folder?.name = name }
            if let name = element.file?.name { owned.file?.name = name }
            if old.isReplaced == true, let position = elements.position(of: element.id) {
                let present = elements[position]
                if hasPlace(of: owned, present) {
                    try planExchange(of: present, for: owned, in: folder, operation)
                } else {
                    kept.bringBack(owned, in: folder, to: assets)
                }
                replace(at: position, with: element)
            } else {
                try checkThatIsWhole(old, element, operation)
                kept.bringBack(owned, in: folder, to: assets)
                if elements.contains(element.id) { throw isThereAgain(element, operation) }
                try checkThatIsFree(element.id)
                insert(element, at: min(max(0, old.position), elements.count))
            }
        }
        if !damaged.isEmpty { placeDamagedLines() }
        files.returning = Returning(moves: kept)
        return ids.compactMap(elements.position).sorted().map { elements[$0] }
    }

    /// Checks that the record of a replaced item, which is not in the collection, has its folder and its file, and that
    /// no later removal of the item has them.
    private func checkThatIsWhole(
        _ replaced: RemovalRecord.Item, _ element: any IndexElement, _ operation: String
    ) throws {
        let lacks = [
            reader.ownsFolders && replaced.folder == nil,
            reader.ownsFiles && replaced.file == nil,
        ]
        guard replaced.isReplaced == true, lacks.contains(true),
            let all = try write?.place?.index.folder.allRemoved.flatMap(\.record.items)
        else { return }
        let hasNothing = replaced.folder == nil && replaced.file == nil
        let wasRemoved = all.contains { other in
            guard let other, other.isReplaced != true else { return false }
            return (try? reader.element(on: other.bytes))?.id == element.id
        }
        if hasNothing || wasRemoved { throw newerHasPart(of: element, "was removed", operation) }
    }

    /// The error for an earlier version of an item that lacks a part of it.
    private func newerHasPart(of element: any IndexElement, _ what: String, _ operation: String)
        -> DirectoryError
    {
        DirectoryError(
            .itemNotFound, operation, url,
            "a newer version of the item \(element.id.text) \(what), and has a part of it",
            remedy: "Bring back the newer version first.",
            people: .init(
                operation: operation, reason: "a newer version of it \(what)",
                remedy: "Bring back the newer version first."))
    }

    /// The error for a removed item whose id is in the collection again.
    private func isThereAgain(_ element: any IndexElement, _ operation: String)
        -> DirectoryError
    {
        DirectoryError(
            .duplicateID, operation, url, "the item \(element.id.text) is in the collection again",
            remedy: "Remove the present one first; with keepsRemoved it can come back too.",
            people: .init(
                operation: operation, reason: "it is there again",
                remedy: "Remove the present one first."))
    }

    /// Whether `present` has a folder or a file where that of `replaced`, an earlier version of it, belongs.
    private func hasPlace(of replaced: RemovalRecord.Item, _ present: any IndexElement) -> Bool {
        let file = present.file?.name
        return replaced.folder != nil
            || replaced.file != nil && replaced.file?.name.folded == file?.folded
    }

    /// Plans to move the folder and the file of `present` away, and those of `replaced` from `kept` to their places.
    private mutating func planExchange(
        of present: any IndexElement, for replaced: RemovalRecord.Item, in kept: FileName,
        _ operation: String
    ) throws {
        guard let index = write?.place?.index else { return }
        if replaced.file == nil, let old = try? reader.element(on: replaced.bytes),
            old.file?.text != present.file?.text
        {
            throw newerHasPart(of: present, "was replaced", operation)
        }
        guard reader.options.keepsRemoved != nil else {
            throw DirectoryError(
                .nameTaken, operation, url,
                "the item \(present.id.text) is in the collection, with another folder or file that would not be kept",
                remedy: "Open the collection with keepsRemoved, so that the newer version is kept.",
                people: .init(
                    operation: "bring back items of", reason: "a newer version of it is there",
                    remedy: "Remove the newer version first."))
        }
        let names = index.snapshot.names.value
        for entry in try index.folder.entries(of: present, except: index.folder.allStems)
        where names.owner(of: entry) == present.id {
            guard (entry.assets == nil ? replaced.folder : replaced.file) != nil else { continue }
            try files.replace(entry, of: index.folder.names)
        }
        let source = Move.Folder(kept: [IndexNames.removed, kept])
        if let folder = replaced.folder {
            files.place(folder.slot, in: source, as: folder.name, in: nil)
        }
        if let file = replaced.file {
            files.place(file.slot, in: source, as: file.name, in: index.folder.names.stem)
        }
    }
}
