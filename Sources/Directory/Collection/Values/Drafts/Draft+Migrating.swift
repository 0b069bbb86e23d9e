extension Directory.Draft {
    /// Replaces each damaged line for which `transform` returns an item by that item, in place.
    ///
    /// - Returns: The number of lines that were replaced.
    /// - Throws: The error of `transform`, or ``DirectoryError`` with `duplicateID`, `invalidID` or
    ///   `unencodable`.
    mutating func migrateDamagedItems(
        _ described: [DamagedItem], _ transform: (DamagedItem) throws -> Item?
    ) throws -> Int {
        let lines = base.damaged
        base.damaged = []
        var last: (predecessor: ElementID?, id: ElementID)?
        for (var line, described) in zip(lines, described) {
            let predecessor = line.predecessor
            // Lines that followed a migrated one follow the new item.
            if let last, last.predecessor == predecessor { line.predecessor = last.id }
            guard let item = try transform(described) else {
                base.damaged.append(line)
                continue
            }
            let id = IDElement<Item>(item.id).id
            if base.elements.contains(id) { throw base.isTaken(id) }
            let element = try coding.element(of: item, migrating: line.line)
            let position = line.predecessor.flatMap(base.elements.position).map { $0 + 1 } ?? 0
            base.migrate(to: element, at: position)
            last = (predecessor, element.id)
        }
        return lines.count - base.damaged.count
    }
}
