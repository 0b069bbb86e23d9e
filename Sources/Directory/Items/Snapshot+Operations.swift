import JSONCodec

extension Directory.Snapshot {
    /// What makes the lines of `base` the lines of this state, which `change` tells apart; nil
    /// where elements that are no items, or that wait to be encoded, have lines of their own.
    ///
    /// First all that go, from the end to the front, then all that come, in their order: so each
    /// position is one in `base`, or one in this state. An item that was moved goes and comes.
    func operations(from base: Self, _ change: Directory.Change, moved: Set<Item.ID>)
        -> [LineOperation]?
    {
        guard base.damaged.isEmpty, damaged.isEmpty, base.items.areEncoded else {
            return nil
        }
        let kept = moved.filter { base.items.contains(id: $0) && items.contains(id: $0) }
        let old = base.items.positions(of: change.removed + kept)
        let new = items.positions(of: change.inserted + kept)
        let replaced = items.positions(of: change.updated.filter { !kept.contains($0) })
        return old.reversed().map {
            .remove(at: $0, checksum: CRC32.checksum(of: base.line(at: $0)))
        }
            + new.map { .insert(line(at: $0), at: $0) }
            + replaced.map { .replace(line(at: $0), at: $0) }
    }

    private func line(at position: Int) -> ArraySlice<UInt8> {
        items.slot(at: position).line ?? []
    }
}

extension Directory.Items {
    /// The positions of the items with `ids`, ascending.
    fileprivate func positions(of ids: [Item.ID]) -> [Int] {
        ids.compactMap(index(of:)).sorted()
    }
}

extension IndexReader {
    /// `snapshot` with what `commits` changed; nil where it cannot be said item by item.
    func snapshot(_ snapshot: Directory<Item>.Snapshot, after commits: [[LineOperation]])
        -> Directory<Item>.Snapshot?
    {
        var next = snapshot
        guard next.damaged.isEmpty, next.items.areEncoded else { return nil }
        for operation in commits.joined() {
            switch operation {
            case .insert(let line, let position):
                guard let slot = slot(line), position <= next.items.count,
                    !next.items.contains(id: slot.item.id)
                else { return nil }
                next.items.insert(slot, at: position)
            case .replace(let line, let position):
                guard let slot = slot(line), next.items.indices.contains(position),
                    next.items[position].id == slot.item.id
                else { return nil }
                next.items.replace(at: position, with: slot)
            case .remove(let position, let checksum):
                guard next.items.indices.contains(position),
                    next.items.remove(at: position).line.map(CRC32.checksum(of:)) == checksum
                else { return nil }
            }
        }
        next.names = LazyNames(of: next.items)
        return next
    }

    private func slot(_ line: ArraySlice<UInt8>) -> Directory<Item>.Items.Slot? {
        var decoder = LineDecoder(options.decoder)
        let item = try? line.withUnsafeBufferPointer { try decoder.decode(Item.self, from: $0) }
        return item.map { .init(item: $0, line: line) }
    }
}
