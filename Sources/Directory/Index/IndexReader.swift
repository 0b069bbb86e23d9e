import Foundation
import JSONCodec

/// Makes a snapshot from the bytes of an index.
struct IndexReader {
    let reader: any ElementReader

    init(_ reader: any ElementReader) {
        self.reader = reader
    }

    /// The items in `contents`; no items if there is no index, or if it is an empty file.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` if the bytes are not one JSON array;
    ///   `undecodable` if no element is an item of this type, or if one is not and the options
    ///   refuse damaged items; `journalDamaged` if the journal has operations that do not fit the
    ///   index.
    func snapshot(of contents: IndexContents) throws -> Snapshot {
        let read = try read(contents)
        if let refusal = refusal(of: read) { throw refusal }
        return read
    }

    /// Reads the items as ``snapshot(of:)`` does, however many elements are damaged.
    func read(_ contents: IndexContents) throws -> Snapshot {
        try reading(contents) { bytes in
            if contents.operations.isEmpty { return try snapshot(chunks(of: bytes)) }
            return try snapshot(chunks(of: lines(of: contents, bytes)))
        } ?? .empty
    }

    /// The lines of all elements in `contents`, in order, also of damaged ones.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` or `journalDamaged`, as ``snapshot(of:)``.
    func lines(of contents: IndexContents) throws -> [ArraySlice<UInt8>] {
        try reading(contents) { try lines(of: contents, $0) } ?? []
    }

    private func lines(of contents: IndexContents, _ bytes: [UInt8]) throws
        -> [ArraySlice<UInt8>]
    {
        let elements = try JSONScanner.elements(of: bytes).map { $0.line(of: bytes) }
        if contents.operations.isEmpty { return elements }
        var lines = IndexLines(elements)
        guard contents.operations.allSatisfy({ lines.apply($0) }) else {
            throw DirectoryError(
                .journalDamaged, "read", reader.url,
                "its journal changes elements that the index does not have",
                people: .init(reason: "its newest changes do not fit it"))
        }
        return lines.lines
    }

    /// The result of `body` for the bytes of the index; nil if there are none.
    private func reading<Result>(
        _ contents: IndexContents, _ body: ([UInt8]) throws -> Result
    ) throws -> Result? {
        guard let bytes = contents.bytes, !bytes.isEmpty else { return nil }
        do {
            return try body(bytes)
        } catch let error as JSONScanner.SyntaxError {
            let line = bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1
            throw DirectoryError(
                .damagedIndex, "read", reader.url, "\(error.reason), in line \(line)",
                underlying: error)
        }
    }

    private func snapshot(_ chunks: [ElementChunk]) -> Snapshot {
        var all: [any IndexElement] = []
        var failures: [ElementChunk.Failure] = []
        all.reserveCapacity(chunks.reduce(0) { $0 + $1.elements.count })
        for chunk in chunks {
            for var failure in chunk.failures {
                failure.position += all.count
                failures.append(failure)
            }
            all += chunk.elements
        }
        let (elements, duplicates) = Elements.build(all)
        return Snapshot(
            elements, damaged: damaged(all, duplicates, failures[...]),
            names: LazyNames(of: elements, reader))
    }

    /// The error if too much of `read` is damaged to use it; nil if it can be used.
    func refusal(of read: Snapshot) -> DirectoryError? {
        guard let damaged = read.damaged.first,
            read.elements.isEmpty || reader.options.damagedItems == .refuse
        else { return nil }
        let count = read.elements.count + read.damaged.count
        return DirectoryError(
            .undecodable, "read", reader.url,
            "\(read.damaged.count) of \(count) elements cannot be read as \(reader.typeName): "
                + damaged.reason,
            underlying: read.damaged.lazy.compactMap(\.error).first,
            people: .init(reason: "\(read.damaged.count) of its \(count) items cannot be read"))
    }

    /// The lines that cannot be decoded or have the id of an earlier element, in order.
    private func damaged(
        _ elements: [any IndexElement], _ duplicates: Set<Int>,
        _ failures: ArraySlice<ElementChunk.Failure>
    ) -> [DamagedLine] {
        guard !failures.isEmpty || !duplicates.isEmpty else { return [] }
        var failures = failures
        var damaged: [DamagedLine] = []
        var predecessor: ElementID?
        for position in 0...elements.count {
            while let failure = failures.first, failure.position == position {
                failures.removeFirst()
                damaged.append(
                    .init(
                        line: failure.line, reason: failure.reason, error: failure.error,
                        predecessor: predecessor,
                        id: reader.id(of: failure.line, like: elements.first)))
            }
            guard position < elements.count else { break }
            let id = elements[position].id
            if duplicates.contains(position) {
                damaged.append(
                    .init(
                        line: elements[position].line,
                        reason: "an earlier item has the id \(id.text)",
                        predecessor: predecessor, duplicated: id))
            } else {
                predecessor = id.alone
            }
        }
        return damaged
    }
}
