import Foundation
import JSONCodec

extension Directory.Items {
    /// Gives each item that has none its line in the index, whose URL is for messages.
    mutating func encode(
        with options: DirectoryOptions, for url: @autoclosure @Sendable () -> URL
    ) throws {
        let waiting = waiting()
        let pieceLength = 512
        let pieces = stride(from: 0, to: waiting.slots.count, by: pieceLength).map { start in
            waiting.slots[start..<Swift.min(start + pieceLength, waiting.slots.count)]
        }
        let encoded = concurrentMap(count: pieces.count) { piece in
            Result { try Self.encoded(pieces[piece], with: options, for: url) }
        }
        encode(waiting.positions, as: try encoded.flatMap { try $0.get() })
    }

    /// The same items with their lines.
    private static func encoded(
        _ slots: ArraySlice<Slot>, with options: DirectoryOptions,
        for url: @Sendable () -> URL
    ) throws -> [Slot] {
        var encoder = LineEncoder(options.encoder)
        for slot in slots {
            do {
                try encoder.append(slot.item)
            } catch {
                throw DirectoryError(
                    .unencodable, "encode an item of", url(), "item \(slot.item.id): \(error)",
                    underlying: error)
            }
        }
        var encoded: [Slot] = []
        let lines = encoder.lines
        encoded.reserveCapacity(lines.count)
        for index in lines.indices {
            encoded.append(.init(item: slots[slots.startIndex + index].item, line: lines[index]))
        }
        return encoded
    }
}

extension Directory.Snapshot {
    /// The elements of the index in order: each item, and after it what is damaged there.
    var lines: [ArraySlice<UInt8>] {
        if damaged.isEmpty {
            var lines: [ArraySlice<UInt8>] = []
            lines.reserveCapacity(items.count)
            for slot in items.slots { lines.append(slot.line ?? []) }
            return lines
        }
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
