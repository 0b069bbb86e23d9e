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
    /// Where the next bytes go in the file.
    private var end = 0
    /// The length and the checksum of what was written, without the mark.
    private var length = 0
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
        IndexFingerprint(length: length, checksum: checksum.checksum)
    }

    private mutating func flush() throws {
        let marked = isMarked && end == 0 ? JournalMark.add(to: buffer) : nil
        let bytes = marked ?? buffer
        try fileSystem.write(bytes, to: file, at: end)
        end += bytes.count
        buffer.withUnsafeBytes { checksum.update($0) }
        length += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
