extension Snapshot {
    /// The line operations that turn `base` into this snapshot; nil if either has damaged lines.
    ///
    /// `change` says how the two differ, and `moved` which elements were moved or re-added. First
    /// come all removals, from the end to the front, then all insertions in their order, then the
    /// replacements: so each position is one in `base` or one in this snapshot. An element that was
    /// moved is removed and inserted.
    func operations(from base: Snapshot, _ change: ElementChange, moved: Set<ElementID>)
        -> [LineOperation]?
    {
        guard base.damaged.isEmpty, damaged.isEmpty else { return nil }
        let kept =
            moved.isEmpty
            ? moved : moved.filter { base.elements.contains($0) && elements.contains($0) }
        var operations: [LineOperation] = []
        for position in base.elements.positions(of: change.removed, kept).reversed() {
            let line = base.elements[position].line
            operations.append(.remove(at: position, checksum: CRC32.checksum(of: line)))
        }
        for position in elements.positions(of: change.inserted, kept) {
            operations.append(.insert(elements[position].line, at: position))
        }
        let replaced = kept.isEmpty ? change.updated : change.updated.filter { !kept.contains($0) }
        for position in elements.positions(of: replaced, []) {
            operations.append(.replace(elements[position].line, at: position))
        }
        return operations
    }

    /// This snapshot after `operations`, and the change; nil if an operation does not fit, or a line is damaged.
    func applying(_ operations: some Sequence<LineOperation>, _ reader: any ElementReader)
        -> (snapshot: Snapshot, change: ElementChange)?
    {
        guard damaged.isEmpty else { return nil }
        var next = elements
        var (touched, moved): (Set<ElementID>, Set<ElementID>) = ([], [])
        for operation in operations {
            guard let id = next.apply(operation, reader) else { return nil }
            let isFirst = touched.insert(id).inserted
            // An insertion of an element that was touched before means that it was removed: it moved.
            if !isFirst, case .insert = operation { moved.insert(id) }
        }
        let change = ElementChange(
            from: elements, to: next, by: .otherProcess, touching: touched, moving: moved)
        let names = names.changed(from: elements, to: next, touched, reader)
        return (Snapshot(next, names: names), change)
    }
}

extension Elements {
    /// The positions of the elements with `ids` or `more`, ascending.
    fileprivate func positions(of ids: [ElementID], _ more: Set<ElementID>) -> [Int] {
        if more.isEmpty, ids.count < 2 { return ids.first.flatMap(position).map { [$0] } ?? [] }
        var positions = ids.compactMap(position)
        if !more.isEmpty { positions += more.compactMap(position) }
        if positions.count > 1 { positions.sort() }
        return positions
    }

    /// Applies `operation`, and returns the id of its element, or nil if it does not fit the elements.
    fileprivate mutating func apply(_ operation: LineOperation, _ reader: any ElementReader)
        -> ElementID?
    {
        switch operation {
        case .insert(let line, let position):
            // If the line cannot be decoded, the caller reads the whole index, which keeps the
            // line as damaged.
            guard let element = try? reader.element(on: line), position <= count,
                !contains(element.id)
            else { return nil }
            insert(element, at: position)
            return element.id
        case .replace(let line, let position):
            guard let element = try? reader.element(on: line), indices.contains(position),
                self[position].id == element.id
            else { return nil }
            replace(at: position, with: element)
            return element.id
        case .remove(let position, let checksum):
            guard indices.contains(position) else { return nil }
            let element = remove(at: position)
            return CRC32.checksum(of: element.line) == checksum ? element.id : nil
        }
    }
}
