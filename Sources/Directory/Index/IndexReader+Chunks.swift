import JSONCodec

extension IndexReader {
    /// Reads the elements of the array in `bytes`, on all processor cores.
    ///
    /// - Throws: A syntax error if the bytes are not one JSON array.
    func chunks(of bytes: [UInt8]) throws -> [ElementChunk] {
        if reader.checksSyntax, let chunks = chunksByLines(of: bytes) { return chunks }
        return try chunks(of: JSONScanner.elements(of: bytes).map { $0.line(of: bytes) })
    }

    /// Reads the elements on `lines`, on all processor cores.
    ///
    /// - Throws: A syntax error if a line is not JSON.
    func chunks(of lines: [ArraySlice<UInt8>]) throws -> [ElementChunk] {
        let length = 512
        let chunks = concurrentMap(count: (lines.count + length - 1) / length) { index in
            Result { try reader.chunk(of: lines[(index * length)...].prefix(length)) }
        }
        return try chunks.map { try $0.get() }
    }

    /// Reads the elements if each has a line of its own, as in the indexes that we write; nil if not, or if a line is
    /// not JSON.
    private func chunksByLines(of bytes: [UInt8]) -> [ElementChunk]? {
        guard let lines = bytes.withUnsafeBufferPointer(JSONArrayLines.init) else { return nil }
        let chunks = concurrentMap(count: lines.chunks.count) { index in
            reader.chunk(
                of: lines.chunks[index], in: bytes, isLast: index == lines.chunks.count - 1)
        }
        let valid = chunks.compactMap { $0 }
        return valid.count == chunks.count ? valid : nil
    }
}
