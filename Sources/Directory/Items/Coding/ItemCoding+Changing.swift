extension ItemCoding {
    /// The element after `change`; if the item stays the same, its line stays byte for byte.
    ///
    /// - Throws: The error of `change`; ``DirectoryError`` with `duplicateID` if it changes the id.
    func changed(
        _ element: any IndexElement, _ operation: String, _ change: (inout Item) throws -> Void
    ) throws -> any IndexElement {
        let old = Element.of(element)
        var item = old.item
        try change(&item)
        guard item.id == old.item.id else {
            throw DirectoryError(
                .duplicateID, operation, url,
                "the id \(old.item.id) became \(item.id)",
                remedy: "Change other properties only.", people: .changedID)
        }
        let new = try self.element(of: item, replacing: old)
        let same = try self.element(of: old.item, replacing: old)
        return new.line == same.line ? element : new
    }

    /// A function that returns the element after `change`; without `change`, the element as it is.
    func changing(_ operation: String, _ change: ((inout Item) throws -> Void)?)
        -> (any IndexElement) throws -> any IndexElement
    {
        { element in try change.map { try self.changed(element, operation, $0) } ?? element }
    }
}
