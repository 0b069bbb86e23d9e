/// The changes of one item that ``Directory/Directory`` and its draft have in common.
///
/// Not methods of the draft: each call of a function with a `Draft` parameter looks up that generic type.
extension ItemCoding {
    func insert(_ item: Item, at index: Int, in draft: inout ElementDraft) throws {
        let count = draft.elements.count
        guard (0...count).contains(index) else {
            throw DirectoryError(
                .indexOutOfRange, "insert into", url, "\(index) is not from 0 to \(count)")
        }
        let element: any IndexElement = try element(of: item)
        try draft.checkThatIsFree(element.id)
        draft.insert(element, at: index)
    }

    func append(_ item: Item, to draft: inout ElementDraft) throws {
        try insert(item, at: draft.elements.count, in: &draft)
    }

    func update(_ item: Item, in draft: inout ElementDraft) throws {
        let position = try position(of: item.id, in: draft, "update an item of")
        try replace(Element.of(draft.elements[position]), at: position, by: item, in: &draft)
    }

    func update(
        id: Item.ID, in draft: inout ElementDraft, _ change: (inout Item) throws -> Void
    ) throws {
        let position = try position(of: id, in: draft, "update an item of")
        let old = Element.of(draft.elements[position])
        var item = old.item
        try change(&item)
        guard item.id == id else {
            throw DirectoryError(
                .duplicateID, "update an item of", url, "the id \(id) became \(item.id)",
                remedy:
                    "Change other properties only; to change the id, remove the item and add it again.",
                people: .changedID)
        }
        try replace(old, at: position, by: item, in: &draft)
    }

    private func replace(
        _ old: Element, at position: Int, by item: Item, in draft: inout ElementDraft
    ) throws {
        draft.replace(at: position, with: try element(of: item, replacing: old))
    }

    func remove(id: Item.ID, from draft: inout ElementDraft) throws {
        draft.remove(at: [try position(of: id, in: draft, "remove an item of")])
    }

    func position(of id: Item.ID, in draft: ElementDraft, _ operation: String) throws -> Int {
        let position = draft.elements.position(id.hashValue) { Element.of($0).item.id == id }
        guard let position else { throw draft.hasNoItem("\(id)", operation) }
        return position
    }
}
