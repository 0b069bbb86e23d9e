import Foundation
import JSONCodec

extension ItemCoding: ElementReader {
    var typeName: String { "\(Item.self)" }
    var checksSyntax: Bool { true }

    func element(on line: ArraySlice<UInt8>) throws -> any IndexElement {
        try itemElement(on: line)
    }

    func complete(_ elements: inout Elements, in folder: IndexFolder) throws -> Bool {
        guard let coding = self as? ItemCoding<Photo> else { return false }
        return try SeedPhotos.complete(&elements, in: folder, coding)
    }

    func chunk(of lines: ArraySlice<ArraySlice<UInt8>>) throws -> ElementChunk {
        var chunk = ElementChunk()
        var decoder = LineDecoder(options.decoder)
        for line in lines {
            try line.withUnsafeBufferPointer { try add(line, $0, to: &chunk, with: &decoder) }
        }
        return chunk
    }

    func chunk(of range: Range<Int>, in bytes: [UInt8], isLast: Bool) -> ElementChunk? {
        bytes.withUnsafeBufferPointer { buffer in
            var chunk = ElementChunk()
            var decoder = LineDecoder(options.decoder)
            var lines = JSONArrayLines.Elements(range, of: buffer, isLast: isLast)
            while let line = lines.next() {
                let json = UnsafeBufferPointer(rebasing: buffer[line])
                do {
                    try add(bytes[line], json, to: &chunk, with: &decoder)
                } catch {
                    return nil
                }
            }
            return lines.areSeparated ? chunk : nil
        }
    }

    /// Decodes `line`, and adds the item or the failure; `json` has the same bytes.
    ///
    /// - Throws: Only a syntax error; then nothing is added.
    @inline(__always)
    private func add(
        _ line: ArraySlice<UInt8>, _ json: UnsafeBufferPointer<UInt8>, to chunk: inout ElementChunk,
        with decoder: inout LineDecoder
    ) throws(JSONScanner.SyntaxError) {
        do {
            let item = try decoder.decode(Item.self, from: json)
            guard item.hasValidID else {
                return chunk.fail(line, item.invalidIDReason, nil)
            }
            chunk.elements.append(Element(item: item, line: line))
        } catch let error as JSONScanner.SyntaxError {
            throw error
        } catch {
            chunk.fail(line, codingSummary(of: error), error)
        }
    }
}

extension ElementChunk {
    fileprivate mutating func fail(
        _ line: ArraySlice<UInt8>, _ reason: String, _ error: (any Error)?
    ) {
        failures.append(
            .init(position: elements.count, line: line, reason: reason, error: error))
    }
}

extension ItemCoding {
    func id(_ value: any Sendable) -> ElementID? {
        (value as? Item.ID).map { IDElement<Item>($0).id }
    }

    /// The value of the member in which `other` has its id; without `other`, of `id`.
    func id(of line: ArraySlice<UInt8>, like other: (any IndexElement)?) -> ElementID? {
        var name = "id"
        if let other = other.map(Element.of) {
            let names = ids(in: other.line).filter { $0.value == other.item.id }.keys
            if !names.contains(name), let first = names.min() { name = first }
        }
        return ids(in: line)[name].map { IDElement<Item>($0).id }
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
