import Foundation
import JSONCodec

/// Encodes items as lines of the index, and decodes lines, as the options say.
struct ItemCoding<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Slot = Directory<Item>.Items.Slot

    let options: DirectoryOptions
    /// The URL of the index, for messages.
    let url: @Sendable () -> URL

    init(_ options: DirectoryOptions, url: @autoclosure @escaping @Sendable () -> URL) {
        self.options = options
        self.url = url
    }
}

extension ItemCoding {
    /// The slot of `item`, with its line.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func slot(of item: Item) throws -> Slot {
        var encoder = LineEncoder(options.encoder)
        try append(item, to: &encoder)
        return Slot(item: item, line: encoder.lines[0])
    }

    /// The slots of `items`, which are encoded on all processor cores.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func slots(of items: [Item]) throws -> [Slot] {
        let length = 512
        let chunks = concurrentMap(count: (items.count + length - 1) / length) { number in
            Result { try slots(of: items[(number * length)...].prefix(length)) }
        }
        return try chunks.flatMap { try $0.get() }
    }

    private func slots(of items: ArraySlice<Item>) throws -> [Slot] {
        var encoder = LineEncoder(options.encoder)
        for item in items { try append(item, to: &encoder) }
        return zip(items, encoder.lines).map { Slot(item: $0, line: $1) }
    }

    private func append(_ item: Item, to encoder: inout LineEncoder) throws {
        guard item.hasValidID else {
            throw DirectoryError(.invalidID, "encode an item of", url(), item.invalidIDReason)
        }
        do {
            try encoder.append(item)
        } catch {
            throw DirectoryError(
                .unencodable, "encode an item of", url(), "item \(item.id): \(error)",
                underlying: error)
        }
    }
}

extension ItemCoding {
    /// The slot of the item that `line` encodes.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable` or `invalidID`.
    func slot(from line: ArraySlice<UInt8>) throws -> Slot {
        if let item = UntypedItem(line: line) as? Item { return Slot(item: item, line: line) }
        let item: Item
        do {
            var decoder = LineDecoder(options.decoder)
            item = try line.withUnsafeBufferPointer { try decoder.decode(Item.self, from: $0) }
        } catch {
            throw DirectoryError(
                .undecodable, "read a line of", url(), "it is not a \(Item.self): \(error)",
                underlying: error)
        }
        guard item.hasValidID else {
            throw DirectoryError(.invalidID, "read a line of", url(), item.invalidIDReason)
        }
        return Slot(item: item, line: line)
    }
}

extension Identifiable {
    /// Whether the id equals itself, so that the item can be found by it; NaN does not.
    var hasValidID: Bool {
        let id = id
        return id == self.id
    }

    var invalidIDReason: String { "the id \(id) does not equal itself" }
}
