extension ElementDraft {
    /// Checks that an index with these elements can be opened again.
    ///
    /// If no line is an element, the index may have another type of items.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable`.
    func checkThatItCanBeOpened() throws {
        guard !damaged.isEmpty else { return }
        if elements.isEmpty {
            throw DirectoryError(
                .undecodable, "change", url,
                "only \(damaged.count) damaged elements would stay",
                remedy: "Make items of them with migrateDamagedItems, or repair the collection.",
                people: .init(
                    reason: "only items that cannot be read would be left",
                    remedy: DirectoryError.Code.undecodable.advice))
        }
        guard reader.options.damagedItems == .refuse else { return }
        throw DirectoryError(
            .undecodable, "change", url,
            "\(damaged.count) damaged elements would stay, which the options refuse",
            remedy: "Make items of them with migrateDamagedItems first.",
            people: .init(
                reason: "\(damaged.count) of its items cannot be read",
                remedy: DirectoryError.Code.undecodable.advice))
    }

    /// Moves the damaged lines behind the element with `id`, which is removed, behind `previous`.
    ///
    /// Duplicates of the element are removed with it: otherwise one of them would be the item for the
    /// next process.
    mutating func moveDamagedLines(behind id: ElementID, to previous: ElementID?) {
        damaged.removeAll { $0.duplicated == id }
        // In the list, these lines are already behind those of `previous`.
        for line in damaged.indices where damaged[line].predecessor == id {
            damaged[line].predecessor = previous
        }
    }

    /// Moves duplicates behind their elements, and sorts the list in the order of the index.
    ///
    /// The first line with an id is the item, so a duplicate before its item would be the item
    /// for the next process.
    mutating func placeDamagedLines() {
        let positions = damaged.indices.map { line in
            var position = damaged[line].predecessor.flatMap(elements.position) ?? -1
            if let owner = damaged[line].duplicated, let first = elements.position(of: owner),
                position < first
            {
                damaged[line].predecessor = owner
                position = first
            }
            return position
        }
        let order = damaged.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        damaged = order.map { damaged[$0] }
    }
}
