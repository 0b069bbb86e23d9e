import Foundation
import JSONCodec

extension IndexReader {
    /// A run of elements, decoded by one processor core.
    struct Chunk: Sendable {
        fileprivate(set) var slots: [Directory<Item>.Items.Slot] = []
        fileprivate(set) var failures: [Failure] = []
    }

    /// An element that cannot be decoded.
    struct Failure: Sendable {
        /// The number of elements before it that can be decoded.
        var position: Int
        var line: ArraySlice<UInt8>
        var reason: String
        /// Nil if it can be decoded, but has an invalid id.
        var error: (any Error)?
    }

    /// Decodes the elements of the array in `bytes`, on all processor cores.
    ///
    /// - Throws: A syntax error if the bytes are not one JSON array.
    func chunks(of bytes: [UInt8]) throws -> [Chunk] {
        // Decoding a line checks its syntax; an item without a type is not decoded.
        let isDecoded = Item.self != UntypedItem.self
        if isDecoded, let chunks = chunksByLines(of: bytes) { return chunks }
        return try chunks(of: JSONScanner.elements(of: bytes).map { $0.line(of: bytes) })
    }

    /// Decodes `lines`, on all processor cores.
    ///
    /// - Throws: A syntax error if a line is not JSON.
    func chunks(of lines: [ArraySlice<UInt8>]) throws -> [Chunk] {
        let length = 512
        let chunks = concurrentMap(count: (lines.count + length - 1) / length) { index in
            Result { try chunk(lines[(index * length)...].prefix(length)) }
        }
        return try chunks.map { try $0.get() }
    }

    private func chunk(_ lines: ArraySlice<ArraySlice<UInt8>>) throws -> Chunk {
        var chunk = Chunk()
        var decoder = LineDecoder(options.decoder)
        for line in lines {
            if let item = UntypedItem(line: line) as? Item {
                chunk.slots.append(.init(item: item, line: line))
                continue
            }
            try line.withUnsafeBufferPointer { try chunk.add(line, $0, with: &decoder) }
        }
        return chunk
    }

    /// Decodes the elements if each has a line of its own, as in the indexes that we write; nil if not, or if a line is
    /// not JSON.
    private func chunksByLines(of bytes: [UInt8]) -> [Chunk]? {
        guard let lines = bytes.withUnsafeBufferPointer(JSONArrayLines.init) else { return nil }
        let chunks = concurrentMap(count: lines.chunks.count) { index in
            chunk(lines.chunks[index], of: bytes, isLast: index == lines.chunks.count - 1)
        }
        let valid = chunks.compactMap { $0 }
        return valid.count == chunks.count ? valid : nil
    }

    private func chunk(_ lines: Range<Int>, of bytes: [UInt8], isLast: Bool) -> Chunk? {
        bytes.withUnsafeBufferPointer { buffer in
            var chunk = Chunk()
            var decoder = LineDecoder(options.decoder)
            var elements = JSONArrayLines.Elements(lines, of: buffer, isLast: isLast)
            while let element = elements.next() {
                let json = UnsafeBufferPointer(rebasing: buffer[element])
                do {
                    try chunk.add(bytes[element], json, with: &decoder)
                } catch {
                    return nil
                }
            }
            return elements.areSeparated ? chunk : nil
        }
    }
}

extension IndexReader.Chunk {
    /// Decodes `line`, and adds the item or the failure; `json` has the same bytes.
    ///
    /// - Throws: Only a syntax error; then nothing is added.
    @inline(__always)
    fileprivate mutating func add(
        _ line: ArraySlice<UInt8>, _ json: UnsafeBufferPointer<UInt8>,
        with decoder: inout LineDecoder
    ) throws(JSONScanner.SyntaxError) {
        do {
            let item = try decoder.decode(Item.self, from: json)
            guard item.hasValidID else { return fail(line, item.invalidIDReason, nil) }
            slots.append(.init(item: item, line: line))
        } catch let error as JSONScanner.SyntaxError {
            throw error
        } catch {
            fail(line, codingSummary(of: error), error)
        }
    }

    private mutating func fail(
        _ line: ArraySlice<UInt8>, _ reason: String, _ error: (any Error)?
    ) {
        failures.append(
            .init(position: slots.count, line: line, reason: reason, error: error))
    }
}
