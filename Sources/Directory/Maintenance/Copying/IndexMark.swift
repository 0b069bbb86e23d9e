import FileSystem

/// Tells whether an index was committed to since, without reading it again.
struct IndexMark {
    /// The version of the files, which a commit to the journal need not change.
    let version: IndexVersion
    /// Where the next record of the journal would begin; nil if there is no journal.
    let journalEnd: Int?
}

extension IndexFolder {
    /// Whether nothing was committed since the index had `mark`.
    func isUnchanged(since mark: IndexMark) throws -> Bool {
        // First the byte, then the version: this tells that the byte is of the same journal.
        if let end = mark.journalEnd, try hasRecord(at: end) { return false }
        return try version() == mark.version
    }

    /// Whether anything but padding is at `offset` of the journal.
    private func hasRecord(at offset: Int) throws -> Bool {
        let file = try fileSystem.unlessMissing {
            try fileSystem.openFile(names.journal, in: handle, for: .read)
        }
        guard let file else { return true }
        let found = try [UInt8](unsafeUninitializedCapacity: 1) { buffer, count in
            count = try fileSystem.read(
                file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        return found.contains { $0 != Journal.paddingByte }
    }
}

extension Journal {
    /// Where the next record would begin in the journal `bytes`, if nothing in them is cut off.
    static func end(of bytes: [UInt8]) -> Int {
        // The last byte of a record is a newline, as padding is.
        let last = bytes.lastIndex { $0 != paddingByte } ?? -1
        return min(last + 2, bytes.count)
    }
}
