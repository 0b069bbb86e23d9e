import FileSystem

/// Writes an index line by line, in large chunks.
///
/// Each line is one element of the array, so that tools such as diff and grep work well on an index.
struct IndexWriter {
    private let fileSystem: any FileSystem
    private let file: Handle
    private var buffer = JournalMark.unmarked
    private let isMarked: Bool
    private var isEmpty = true
    private var written = 0
    private var checksum = CRC32()

    private static let chunkLength = 1 << 20

    /// Begins an index; `isMarked` says that it has a journal.
    init(fileSystem: any FileSystem, file: Handle, isMarked: Bool = false) {
        (self.fileSystem, self.file, self.isMarked) = (fileSystem, file, isMarked)
    }

    mutating func append(_ line: ArraySlice<UInt8>) throws {
        if !isEmpty { buffer += ",\n".utf8 }
        isEmpty = false
        buffer += line
        if buffer.count >= Self.chunkLength { try flush() }
    }

    /// Ends the array, and returns the fingerprint of the index, which gets one more newline if it would have that of
    /// `other`.
    mutating func finish(unlike other: IndexFingerprint? = nil) throws -> IndexFingerprint {
        if isEmpty {
            buffer = isMarked ? Array("[\n]\n".utf8) : Array("[]\n".utf8)
        } else {
            buffer += "\n]\n".utf8
        }
        try flush()
        if fingerprint == other {
            buffer.append(UInt8(ascii: "\n"))
            try flush()
        }
        return fingerprint
    }

    private var fingerprint: IndexFingerprint {
        IndexFingerprint(length: written, checksum: checksum.checksum)
    }

    private mutating func flush() throws {
        // The fingerprint is that of the bytes without the mark.
        let isFirst = written == 0
        let offset = isMarked && !isFirst ? written + 1 : written
        let marked = isMarked && isFirst ? JournalMark.add(to: buffer) : nil
        try fileSystem.write(marked ?? buffer, to: file, at: offset)
        buffer.withUnsafeBytes { checksum.update($0) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
