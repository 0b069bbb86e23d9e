import Foundation
import JSONCodec
import Synchronization

/// Encodes items as lines of the index, decodes lines, and changes items of a draft, according to the options.
///
/// A class, so that handing it on costs one reference.
final class ItemCoding<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    typealias Element = ItemElement<Item>

    let options: DirectoryOptions
    private let makeURL: @Sendable () -> URL
    let ownsFolders = Ownership<Item>.ownsFolders
    let ownsFiles = Ownership<Item>.ownsFiles
    /// Used for each item, because making one takes a third as long as encoding a small item.
    private let encoder: Mutex<LineEncoder>

    init(_ options: DirectoryOptions, url: @autoclosure @escaping @Sendable () -> URL) {
        self.options = options
        makeURL = url
        encoder = Mutex(options.lineEncoder)
    }

    /// The URL of the index, for messages.
    var url: URL { makeURL() }
}

extension ItemCoding {
    /// The element of `item`, with its line.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func element(of item: Item) throws -> Element {
        try checkID(of: item)
        return try checked(Element(item: item, line: describing(item) { try line(of: item) }))
    }

    private func line(of item: Item) throws -> ArraySlice<UInt8> {
        let line = try encoder.withLockIfAvailable { encoder in
            // The memory of a long line is not kept, nor that of one that could not be ended.
            var isShort = false
            defer { if !isShort { encoder = options.lineEncoder } }
            let line = try encoder.line(of: item)
            isShort = line.count <= 1 << 16
            return line
        }
        if let line { return line }
        // Another thread encodes, or the item encodes another one.
        var encoder = options.lineEncoder
        return try encoder.line(of: item)
    }

    /// The element of `item`, which replaces `old`; it keeps the parts of the old line that the type does not write, or
    /// that the change does not concern.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func element(of item: Item, replacing old: Element) throws -> Element {
        let new = try element(of: item).line
        let merged = try describing(item) {
            try UnknownMembers.merge(
                old.line, into: new, hasOneOrder: options.encoder == nil,
                before: { try element(of: old.item).line }, isSame: { encodes(item, $0) })
        }
        let line = keepingOrder(of: old.line, in: merged ?? new)
        return line == new
            ? Element(item: item, line: new) : try checked(Element(item: item, line: line))
    }

    /// The element of `item`, which replaces a damaged line; it keeps the members of that line that
    /// the item does not have.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func element(of item: Item, migrating damaged: ArraySlice<UInt8>) throws -> Element {
        let new = try element(of: item)
        // It is unknown which members the type would write: all that `new` lacks are kept.
        let line = try describing(item) {
            try UnknownMembers.merge(damaged, into: new.line) { Array("{}".utf8)[...] }
        }
        // A member can be the cause of the damage, such as a repeated key.
        guard let line, let read = try? itemElement(on: line), read.item.id == item.id else {
            return new
        }
        return Element(item: item, line: line)
    }

    /// The elements of `items`, which are encoded on all processor cores.
    ///
    /// - Throws: ``DirectoryError`` with `unencodable`.
    func elements(of items: [Item]) throws -> [any IndexElement] {
        let length = 512
        let chunks = concurrentMap(count: (items.count + length - 1) / length) { number in
            let start = number * length
            return Result {
                try elements(of: items, at: start..<min(start + length, items.count))
            }
        }
        return try chunks.flatMap { try $0.get() }
    }

    // `zip` and `map` over items of a generic type are not specialised, so the loops use positions. An array of elements
    // without their type needs no cast of each one.
    private func elements(of items: [Item], at positions: Range<Int>) throws -> [any IndexElement] {
        var encoder = options.lineEncoder
        for position in positions {
            let item = items[position]
            try checkID(of: item)
            try describing(item) { try encoder.append(item) }
        }
        let lines = encoder.lines
        return try positions.map { position in
            let line = lines[position - positions.lowerBound]
            return try checked(Element(item: items[position], line: line))
        }
    }

    private func checkID(of item: Item) throws {
        guard item.hasValidID else {
            throw DirectoryError(
                .invalidID, "encode an item of", url, item.invalidIDReason,
                people: .init(usual: .invalidID, operation: "save an item of"))
        }
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
                .unencodable, "encode an item of", url,
                "item \(item.id): \(codingSummary(of: error))", underlying: error,
                people: .init(usual: .unencodable, operation: "save an item of"))
        }
    }

    /// Returns `element` after a check that the decoder of the options can read its line.
    ///
    /// Without a custom encoder or decoder, there is nothing to check.
    private func checked(_ element: Element) throws -> Element {
        if options.encoder == nil && options.decoder == nil { return element }
        let read: Item
        do {
            read = try itemElement(on: element.line).item
        } catch let error as DirectoryError {
            throw DirectoryError(
                .unencodable, "encode an item of", url,
                "item \(element.item.id): the decoder of the options cannot read what the encoder wrote: "
                    + error.reason,
                underlying: error.underlying, people: unreadable)
        }
        guard read.id == element.item.id else {
            throw DirectoryError(
                .unencodable, "encode an item of", url,
                "item \(element.item.id): the decoder of the options reads another id, \(read.id)",
                people: unreadable)
        }
        return element
    }
}

extension ItemCoding {
    /// The element of the item that `line` encodes.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable` or `invalidID`.
    func itemElement(on line: ArraySlice<UInt8>) throws -> Element {
        let item: Item
        do {
            var decoder = LineDecoder(options.decoder)
            item = try line.withUnsafeBufferPointer { try decoder.decode(Item.self, from: $0) }
        } catch {
            throw DirectoryError(
                .undecodable, "read a line of", url,
                "it is not a \(Item.self): \(codingSummary(of: error))", underlying: error,
                people: .init(
                    operation: "read an item of",
                    reason: "one of its values is missing or cannot be read"))
        }
        guard item.hasValidID else {
            throw DirectoryError(
                .invalidID, "read a line of", url, item.invalidIDReason,
                people: .init(usual: .invalidID, operation: "read an item of"))
        }
        return Element(item: item, line: line)
    }
}

extension DirectoryOptions {
    fileprivate var lineEncoder: LineEncoder {
        LineEncoder(encoder, dates: dates == .iso8601 ? .iso8601 : .secondsSince2001)
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
