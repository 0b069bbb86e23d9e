import Foundation

extension Directory.Snapshot {
    /// Gives each item that has none its line in the index, whose URL is for messages.
    mutating func encode(
        with options: DirectoryOptions, for url: @autoclosure @Sendable () -> URL
    ) throws {
        let unencoded = items.unencoded
        // Most of them are found and replaced fastest where all are put together anew.
        let isRebuilt = unencoded.count > items.count / 4
        var slots = isRebuilt ? Array(items.slots) : []
        let positions =
            isRebuilt
            ? slots.indices.filter { slots[$0].line == nil }
            : unencoded.compactMap(items.index(of:)).sorted()
        let pieceLength = 512
        let pieces = stride(from: 0, to: positions.count, by: pieceLength).map { start in
            positions[start..<min(start + pieceLength, positions.count)]
        }
        let encoded = concurrentMap(count: pieces.count) { [items] piece in
            Result { try Self.lines(of: pieces[piece], in: items, with: options, for: url) }
        }
        for (piece, lines) in zip(pieces, encoded) {
            for (position, line) in zip(piece, try lines.get()) {
                if isRebuilt {
                    slots[position] = .init(item: slots[position].item, line: line)
                } else {
                    items.setLine(line, at: position)
                }
            }
        }
        if isRebuilt { items = Directory.Items.build(slots).items }
    }

    private static func lines(
        of positions: ArraySlice<Int>, in items: Directory.Items, with options: DirectoryOptions,
        for url: @Sendable () -> URL
    ) throws -> [ArraySlice<UInt8>] {
        var encoder = ItemEncoder(options.encoder)
        for position in positions {
            let item = items[position]
            do {
                try encoder.append(item)
            } catch {
                throw DirectoryError(
                    .unencodable, "encode an item of", url(), "item \(item.id): \(error)",
                    underlying: error)
            }
        }
        return encoder.lines
    }
}

extension Directory.Snapshot {
    /// The elements of the index in order: each item, and after it what is damaged there.
    var lines: [ArraySlice<UInt8>] {
        let damagedLines = Dictionary(grouping: damaged, by: \.predecessor)
            .mapValues { $0.map(\.line) }
        var lines = damagedLines[nil] ?? []
        for slot in items.slots {
            lines.append(slot.line ?? [])
            if let following = damagedLines[slot.item.id] { lines += following }
        }
        return lines
    }
}
