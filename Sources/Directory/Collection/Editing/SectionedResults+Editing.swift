public import Foundation

extension SectionedResults {
    /// Removes the items at `offsets` of a section, each as `remove(id:)` of the collection does, in one commit.
    ///
    ///     ForEach(section.items) { photo in PhotoRow(photo) }
    ///         .onDelete { offsets in attempt { try days.delete(at: offsets, in: section) } }
    ///
    /// - Parameters:
    ///   - offsets: Positions in the items of `section`.
    ///   - section: One of ``sections``, as the view has shown it.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if one of the items
    ///   was removed, and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func delete(at offsets: IndexSet, in section: Section) throws {
        try directory.delete(at: offsets, of: section.items)
    }

    /// Removes the items at `offsets` of a section, each as `remove(id:)` of the collection does, in one commit.
    ///
    /// - Parameters:
    ///   - offsets: Positions in the items of `section`.
    ///   - section: One of ``sections``, as the view has shown it.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if one of the items
    ///   was removed, and the [codes of every change](doc:Errors#Codes-of-every-change). Then nothing is removed.
    public func delete(at offsets: IndexSet, in section: Section) async throws {
        try await directory.delete(at: offsets, of: section.items)
    }

    /// Moves the items at `source` of a section before its item at `destination`, or to its end.
    ///
    /// In the collection, the items move to the place before that item; at the end of the section, to the place behind
    /// the last item of the section. All other items stay where they are. If the order of the section stays the same,
    /// nothing is written.
    ///
    /// - Parameters:
    ///   - source: Positions in the items of `section`.
    ///   - destination: A position in these items, or their count.
    ///   - section: One of ``sections``, as the view has shown it.
    /// - Throws: ``DirectoryError`` with `sortedResults` if the sections are sorted, `indexOutOfRange` if a position is
    ///   invalid, `itemNotFound` if one of the items was removed, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing moves.
    public func move(
        fromOffsets source: IndexSet, toOffset destination: Int, in section: Section
    ) throws {
        try directory.move(source, to: destination, of: section.items, isSorted: isSorted)
    }

    /// Moves the items at `source` of a section before its item at `destination`, or to its end.
    ///
    /// - Parameters:
    ///   - source: Positions in the items of `section`.
    ///   - destination: A position in these items, or their count.
    ///   - section: One of ``sections``, as the view has shown it.
    /// - Throws: ``DirectoryError`` with `sortedResults` if the sections are sorted, `indexOutOfRange` if a position is
    ///   invalid, `itemNotFound` if one of the items was removed, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change). Then nothing moves.
    public func move(
        fromOffsets source: IndexSet, toOffset destination: Int, in section: Section
    ) async throws {
        try await directory.move(source, to: destination, of: section.items, isSorted: isSorted)
    }
}
