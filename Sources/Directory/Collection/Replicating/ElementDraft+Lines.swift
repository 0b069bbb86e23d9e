/// The changes that replicas make, line by line.
///
/// The lines that a draft is given were decoded with the type of items that its collection has.
extension ElementDraft {
    /// The lines as they would be after the commit.
    package var lines: CollectionLines { .init(elements: elements) }

    /// Whether the collection has elements that are no items.
    package var hasDamagedLines: Bool { !damaged.isEmpty }

    /// Adds `lines` at the end, in their order.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID`.
    package mutating func append(_ lines: [IndexLine]) throws {
        try append(lines.map(\.element))
    }

    /// Adds `line` behind the one with `predecessor`, at the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` or `itemNotFound`.
    package mutating func insert(_ line: IndexLine, behind predecessor: ElementID?) throws {
        let place = try predecessor.map { try position(of: $0, "insert into") + 1 } ?? 0
        try checkThatIsFree(line.id)
        insert(line.element, at: place)
    }

    /// Replaces the line that has the id of `line`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func replace(by line: IndexLine) throws {
        replace(at: try position(of: line.id, "update an item of"), with: line.element)
    }

    /// Removes the lines with `ids`; an id that is given twice counts once.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`; then nothing is removed.
    package mutating func removeLines(_ ids: [ElementID]) throws {
        let positions = Set(try ids.map { try position(of: $0, "remove an item of") })
        remove(at: positions.sorted())
    }

    /// Moves the line with `id` behind the one with `predecessor`, to the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func move(_ id: ElementID, behind predecessor: ElementID?) throws {
        let from = try position(of: id, "move items of")
        let to = try predecessor.map { try position(of: $0, "move items of") + 1 } ?? 0
        if to != from, to != from + 1 { move([from], to: to) }
    }

    /// Changes the collection `child` that the item with `id` holds, whose lines `coding` reads, in the same commit.
    ///
    /// - Throws: The error of `body`, or ``DirectoryError`` as the draft of a collection throws it for its containers.
    package mutating func change(
        _ child: String, _ coding: LineCoding, of id: ElementID,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        let position = try position(of: id, "change \(child) in")
        try change(child, type(of: coding.reader), of: elements[position].id, body)
    }
}
