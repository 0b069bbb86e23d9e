extension Directory.Draft {
    /// Checks that an index with these elements can be opened again.
    ///
    /// If no element is an item, the index may have another type of items.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable`.
    func checkThatItCanBeOpened() throws {
        guard !damaged.isEmpty else { return }
        if items.isEmpty {
            throw DirectoryError(
                .undecodable, "change", url,
                "only \(damaged.count) damaged elements would stay",
                remedy: "Make items of them with migrateDamagedItems, or repair the collection.",
                people: .init(
                    reason: "only items that cannot be read would be left",
                    remedy: DirectoryError.Code.undecodable.advice))
        }
        guard coding.options.damagedItems == .refuse else { return }
        throw DirectoryError(
            .undecodable, "change", url,
            "\(damaged.count) damaged elements would stay, which the options refuse",
            remedy: "Make items of them with migrateDamagedItems first.",
            people: .init(
                reason: "\(damaged.count) of its items cannot be read",
                remedy: DirectoryError.Code.undecodable.advice))
    }

    /// Replaces each damaged line for which `transform` returns an item by that item, in place.
    ///
    /// - Returns: The number of lines that were replaced.
    /// - Throws: The error of `transform`, or ``DirectoryError`` with `duplicateID`, `invalidID` or
    ///   `unencodable`.
    mutating func migrateDamagedItems(_ transform: (DamagedItem) throws -> Item?) throws -> Int {
        let lines = damaged
        damaged = []
        var last: (predecessor: Item.ID?, id: Item.ID)?
        for (var line, described) in zip(lines, items.describe(lines, coding.options)) {
            let predecessor = line.predecessor
            // Lines that followed a migrated one follow the new item.
            if let last, last.predecessor == predecessor { line.predecessor = last.id }
            guard let item = try transform(described) else {
                damaged.append(line)
                continue
            }
            let position = line.predecessor.flatMap(items.index(of:)).map { $0 + 1 } ?? 0
            guard !items.contains(id: item.id) else { throw isTaken(item.id) }
            insert(try coding.slot(of: item, migrating: line.line), at: position)
            migrated.insert(item.id)
            last = (predecessor, item.id)
        }
        return lines.count - damaged.count
    }

    /// Moves the damaged lines behind the item with `id`, which is removed, behind `previous`.
    ///
    /// Duplicates of the item are removed with it: otherwise one of them would be the item for the
    /// next process.
    mutating func moveDamagedLines(behind id: Item.ID, to previous: Item.ID?) {
        damaged.removeAll { $0.duplicated == id }
        // In the list, these lines are already behind those of `previous`.
        for line in damaged.indices where damaged[line].predecessor == id {
            damaged[line].predecessor = previous
        }
    }

    /// Moves duplicates behind their items, and sorts the list in the order of the index.
    ///
    /// The first element with an id is the item, so a duplicate before its item would be the item
    /// for the next process.
    mutating func placeDamagedLines() {
        let positions = damaged.indices.map { line in
            var position = damaged[line].predecessor.flatMap(items.index(of:)) ?? -1
            if let owner = damaged[line].duplicated, let first = items.index(of: owner),
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
