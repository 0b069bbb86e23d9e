import JSONCodec

extension IndexReader {
    /// What some elements in a row decode to.
    struct Piece: Sendable {
        fileprivate(set) var slots: [Directory<Item>.Items.Slot] = []
        fileprivate(set) var failures: [Failure] = []
    }

    /// An element that cannot be decoded, and the number of those before it that can.
    struct Failure: Sendable {
        var position: Int
        var line: ArraySlice<UInt8>
        var reason: String
    }

    /// The elements of the array that `bytes` hold, worked out on all cores.
    ///
    /// - Throws: A syntax error if the bytes are not one JSON array.
    func pieces(of bytes: [UInt8]) throws -> [Piece] {
        if let pieces = piecesByLines(of: bytes) { return pieces }
        return try pieces(of: JSONScanner.elements(of: bytes).map { $0.line(of: bytes) })
    }

    /// The elements that `lines` hold, worked out on all cores.
    ///
    /// - Throws: A syntax error if a line is no JSON.
    func pieces(of lines: [ArraySlice<UInt8>]) throws -> [Piece] {
        let length = 512
        let pieces = concurrentMap(count: (lines.count + length - 1) / length) { index in
            Result { try piece(lines[(index * length)...].prefix(length)) }
        }
        return try pieces.map { try $0.get() }
    }

    private func piece(_ lines: ArraySlice<ArraySlice<UInt8>>) throws -> Piece {
        var piece = Piece()
        var decoder = LineDecoder(options.decoder)
        for line in lines {
            try line.withUnsafeBufferPointer { try piece.add(line, $0, with: &decoder) }
        }
        return piece
    }

    /// The elements, if each has a line of its own, as in the indexes that we write; nil if not,
    /// or if anything is wrong.
    private func piecesByLines(of bytes: [UInt8]) -> [Piece]? {
        guard let lines = bytes.withUnsafeBufferPointer(JSONArrayLines.init) else { return nil }
        let pieces = concurrentMap(count: lines.chunks.count) { index in
            piece(lines.chunks[index], of: bytes, isLast: index == lines.chunks.count - 1)
        }
        let valid = pieces.compactMap { $0 }
        return valid.count == pieces.count ? valid : nil
    }

    private func piece(_ lines: Range<Int>, of bytes: [UInt8], isLast: Bool) -> Piece? {
        bytes.withUnsafeBufferPointer { buffer in
            var piece = Piece()
            var decoder = LineDecoder(options.decoder)
            var elements = JSONArrayLines.Elements(lines, of: buffer, isLast: isLast)
            while let element = elements.next() {
                let json = UnsafeBufferPointer(rebasing: buffer[element])
                do {
                    try piece.add(bytes[element], json, with: &decoder)
                } catch {
                    return nil
                }
            }
            return elements.areSeparated ? piece : nil
        }
    }
}

extension IndexReader.Piece {
    /// Adds what `line` decodes to; `json` are its bytes.
    ///
    /// - Throws: Only a syntax error; then nothing is added.
    @inline(__always)
    fileprivate mutating func add(
        _ line: ArraySlice<UInt8>, _ json: UnsafeBufferPointer<UInt8>,
        with decoder: inout LineDecoder
    ) throws(JSONScanner.SyntaxError) {
        do {
            slots.append(.init(item: try decoder.decode(Item.self, from: json), line: line))
        } catch let error as JSONScanner.SyntaxError {
            throw error
        } catch {
            let reason = (error as? DecodingError)?.summary ?? "\(error)"
            failures.append(.init(position: slots.count, line: line, reason: reason))
        }
    }
}

extension DecodingError {
    /// The path to what could not be decoded, and why.
    fileprivate var summary: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .keyNotFound(_, let context), .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        guard let context else { return "\(self)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
