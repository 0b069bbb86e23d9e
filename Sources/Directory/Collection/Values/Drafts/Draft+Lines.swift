extension Directory.Draft {
    /// Whether the collection has elements that cannot be decoded.
    package var hasDamagedLines: Bool { !base.damaged.isEmpty }

    /// Adds `lines` at the end, in their order.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID`.
    package mutating func append(_ lines: [Directory.Line]) throws {
        try base.append(lines.map(\.element))
    }

    /// Adds `line` behind the item with `predecessor`, at the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` or `itemNotFound`.
    package mutating func insert(_ line: Directory.Line, behind predecessor: Item.ID?) throws {
        let place = try predecessor.map { try position(of: $0, "insert into") + 1 } ?? 0
        try base.checkThatIsFree(line.element.id)
        base.insert(line.element, at: place)
    }

    /// Replaces the item that has the id of `line`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func replace(by line: Directory.Line) throws {
        base.replace(
            at: try position(of: line.item.id, "update an item of"), with: line.element)
    }

    /// Moves the item with `id` behind the one with `predecessor`, to the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func move(_ id: Item.ID, behind predecessor: Item.ID?) throws {
        let from = try position(of: id, "move items of")
        let to = try predecessor.map { try position(of: $0, "move items of") + 1 } ?? 0
        if to != from, to != from + 1 { try move(fromOffsets: [from], toOffset: to) }
    }

    /// Changes a collection that the item with `id` holds, as ``write(_:of:_:)`` does for containers.
    package mutating func reach<C, Result>(
        into child: Child<C>, of id: Item.ID,
        _ body: (inout Directory<C>.Draft) throws -> Result
    ) throws -> Result {
        try change(child, of: id, body)
    }
}
