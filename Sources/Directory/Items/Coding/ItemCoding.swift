import Foundation
import JSONCodec

/// Encodes items as lines of the index, and decodes lines, according to the options.
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
        var encoder = LineEncoder(options)
        try append(item, to: &encoder)
        return try checked(Slot(item: item, line: encoder.lines[0]))
    }

    /// The slot of `item`, which replaces `old`; it keeps the parts of the old line that the type does not write, or
    /// that the change does not concern.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func slot(of item: Item, replacing old: Slot) throws -> Slot {
        let new = try slot(of: item).line
        let merged = try describing(item) {
            try UnknownMembers.merge(old.line, into: new, hasOneOrder: options.encoder == nil) {
                try slot(of: old.item).line
            }
        }
        let line = keepingOrder(of: old.line, in: merged ?? new)
        return line == new ? Slot(item: item, line: new) : try checked(Slot(item: item, line: line))
    }

    /// The slot of `item`, which replaces a damaged line; it keeps the members of that line that
    /// the item does not have.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func slot(of item: Item, migrating damaged: ArraySlice<UInt8>) throws -> Slot {
        let new = try slot(of: item)
        // It is unknown which members the type would write: all that `new` lacks are kept.
        let line = try describing(item) {
            try UnknownMembers.merge(damaged, into: new.line) { Array("{}".utf8)[...] }
        }
        // A member can be the cause of the damage, such as a repeated key.
        guard let line, let read = try? slot(from: line), read.item.id == item.id else {
            return new
        }
        return Slot(item: item, line: line)
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
        var encoder = LineEncoder(options)
        for item in items { try append(item, to: &encoder) }
        return try zip(items, encoder.lines).map { try checked(Slot(item: $0, line: $1)) }
    }

    private func append(_ item: Item, to encoder: inout LineEncoder) throws {
        guard item.hasValidID else {
            throw DirectoryError(
                .invalidID, "encode an item of", url(), item.invalidIDReason,
                people: .init(usual: .invalidID, operation: "save an item of"))
        }
        try describing(item) { try encoder.append(item) }
    }

    private var unreadable: DirectoryError.Wording {
        .init(operation: "save an item of", reason: "the app could not read it again")
    }

    private func describing<Result>(_ item: Item, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DirectoryError {
            throw error
        } catch {
            throw DirectoryError(
                .unencodable, "encode an item of", url(),
                "item \(item.id): \(codingSummary(of: error))", underlying: error,
                people: .init(usual: .unencodable, operation: "save an item of"))
        }
    }

    /// Returns `slot` after a check that the decoder of the options can read its line.
    ///
    /// Without a custom encoder or decoder, there is nothing to check.
    private func checked(_ slot: Slot) throws -> Slot {
        if options.encoder == nil && options.decoder == nil { return slot }
        let read: Item
        do {
            read = try self.slot(from: slot.line).item
        } catch let error as DirectoryError {
            throw DirectoryError(
                .unencodable, "encode an item of", url(),
                "item \(slot.item.id): the decoder of the options cannot read what the encoder wrote: "
                    + error.reason,
                underlying: error.underlying, people: unreadable)
        }
        guard read.id == slot.item.id else {
            throw DirectoryError(
                .unencodable, "encode an item of", url(),
                "item \(slot.item.id): the decoder of the options reads another id, \(read.id)",
                people: unreadable)
        }
        return slot
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
                .undecodable, "read a line of", url(),
                "it is not a \(Item.self): \(codingSummary(of: error))", underlying: error,
                people: .init(
                    operation: "read an item of",
                    reason: "one of its values is missing or cannot be read"))
        }
        guard item.hasValidID else {
            throw DirectoryError(
                .invalidID, "read a line of", url(), item.invalidIDReason,
                people: .init(usual: .invalidID, operation: "read an item of"))
        }
        return Slot(item: item, line: line)
    }
}

extension ItemCoding {
    /// The id of an element that is not an item; nil if it cannot be read.
    ///
    /// It is the value of the member in which `other`, an item of the same type, has its id; without `other`, of `id`.
    func id(of line: ArraySlice<UInt8>, like other: Slot?) -> Item.ID? {
        var name = "id"
        if let other {
            let names = ids(in: other.line).filter { $0.value == other.item.id }.keys
            if !names.contains(name), let first = names.min() { name = first }
        }
        return ids(in: line)[name]
    }

    /// The values of all members that can be ids, by the names of the members.
    private func ids(in line: ArraySlice<UInt8>) -> [String: Item.ID] {
        func read<ID: Decodable>(_: ID.Type) -> [String: Item.ID] {
            var decoder = LineDecoder(options.decoder)
            let found = try? line.withUnsafeBufferPointer {
                try decoder.decode(Members<ID>.self, from: $0)
            }
            return found?.values.compactMapValues { $0 as? Item.ID } ?? [:]
        }
        return (Item.ID.self as? any Decodable.Type).map { read($0) } ?? [:]
    }
}

/// The members of an object whose values have one type.
private struct Members<Value: Decodable>: Decodable {
    private(set) var values: [String: Value] = [:]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        for key in members.allKeys {
            values[key.stringValue] = try? members.decode(Value.self, forKey: key)
        }
    }
}

extension LineEncoder {
    init(_ options: DirectoryOptions) {
        self.init(options.encoder, dates: options.dates == .iso8601 ? .iso8601 : .secondsSince2001)
    }
}

extension Identifiable {
    /// Whether the id equals itself, so that it can be looked up; NaN does not.
    var hasValidID: Bool {
        let id = id
        return id == self.id
    }

    var invalidIDReason: String { "the id \(id) does not equal itself" }
}
