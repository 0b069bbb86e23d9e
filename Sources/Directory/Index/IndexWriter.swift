import FileSystem

/// Writes an index line by line, a large piece at a time.
///
/// One element a line, so that the index diffs and greps.
struct IndexWriter {
    private let fileSystem: any FileSystem
    private let file: Handle
    private var buffer = Array("[\n".utf8)
    private var isEmpty = true
    private var written = 0
    private var checksum = CRC32()

    private static let pieceLength = 1 << 20

    init(fileSystem: any FileSystem, file: Handle) {
        self.fileSystem = fileSystem
        self.file = file
    }

    mutating func append(_ line: ArraySlice<UInt8>) throws {
        if !isEmpty { buffer += ",\n".utf8 }
        isEmpty = false
        buffer += line
        if buffer.count >= Self.pieceLength { try flush() }
    }

    /// Ends the array, and returns what tells it from others.
    mutating func finish() throws -> IndexFingerprint {
        if isEmpty { buffer = Array("[]\n".utf8) } else { buffer += "\n]\n".utf8 }
        try flush()
        return IndexFingerprint(length: written, checksum: checksum.checksum)
    }

    private mutating func flush() throws {
        try fileSystem.write(buffer, to: file, at: written)
        buffer.withUnsafeBytes { checksum.update($0) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
