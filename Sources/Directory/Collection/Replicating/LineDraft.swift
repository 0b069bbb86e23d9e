/// A copy of a collection that a write changes line by line, and that becomes the collection at the commit.
///
/// The lines that it is given were decoded with the type of items that the collection has.
package struct LineDraft {
    var base: ElementDraft

    /// The result of `body` for the draft of elements `base`.
    static func with<Result>(
        _ base: inout ElementDraft, _ body: (inout Self) throws -> Result
    ) rethrows -> Result {
        var draft = Self(base: base.take())
        defer { swap(&base, &draft.base) }
        return try body(&draft)
    }

    /// The lines as they would be after the commit.
    package var lines: CollectionLines { .init(elements: base.elements) }

    /// Whether the collection has elements that are no items.
    package var hasDamagedLines: Bool { !base.damaged.isEmpty }
}

extension LineDraft {
    /// Adds `lines` at the end, in their order.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID`.
    package mutating func append(_ lines: [IndexLine]) throws {
        try base.append(lines.map(\.element))
    }

    /// Adds `line` behind the one with `predecessor`, at the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID` or `itemNotFound`.
    package mutating func insert(_ line: IndexLine, behind predecessor: ElementID?) throws {
        let place = try predecessor.map { try base.position(of: $0, "insert into") + 1 } ?? 0
        try base.checkThatIsFree(line.id)
        base.insert(line.element, at: place)
    }

    /// Replaces the line that has the id of `line`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func replace(by line: IndexLine) throws {
        base.replace(at: try base.position(of: line.id, "update an item of"), with: line.element)
    }

    /// Removes the lines with `ids`; an id that is given twice counts once.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`; then nothing is removed.
    package mutating func remove(_ ids: [ElementID]) throws {
        let positions = Set(try ids.map { try base.position(of: $0, "remove an item of") })
        base.remove(at: positions.sorted())
    }

    /// Moves the line with `id` behind the one with `predecessor`, to the front if that is nil.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    package mutating func move(_ id: ElementID, behind predecessor: ElementID?) throws {
        let from = try base.position(of: id, "move items of")
        let to = try predecessor.map { try base.position(of: $0, "move items of") + 1 } ?? 0
        if to != from, to != from + 1 { base.move([from], to: to) }
    }

    /// Gives the item with `id` the file of `staged`, a file of the stage that this write imports.
    package mutating func give(_ staged: StagedAsset, to id: ElementID) {
        base.give(staged, to: id)
    }

    /// Changes the collection `child` that the item with `id` holds, whose lines `coding` reads, in the same commit.
    ///
    /// - Throws: The error of `body`, or ``DirectoryError`` as the draft of a collection throws it for its containers.
    package mutating func change(
        _ child: String, _ coding: LineCoding, of id: ElementID,
        _ body: (inout LineDraft) throws -> Void
    ) throws {
        let position = try base.position(of: id, "change \(child) in")
        try base.change(child, type(of: coding.reader), of: base.elements[position].id) { draft in
            try LineDraft.with(&draft, body)
        }
    }
}
