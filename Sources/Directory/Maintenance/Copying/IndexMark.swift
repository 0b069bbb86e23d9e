import FileSystem

/// Shows whether an index was committed to since, without reading it again.
struct IndexMark {
    /// The version of the files; a commit into the padding of the journal does not change it.
    let version: IndexVersion
    /// The offset of the next record of the journal; nil if there is no journal.
    let journalEnd: Int?
}

extension IndexFolder {
    /// Whether nothing was committed since the index had `mark`.
    func isUnchanged(since mark: IndexMark) throws -> Bool {
        // The byte comes first: if the version is the same after that, the byte is of the same journal.
        if let end = mark.journalEnd, try hasRecord(at: end) { return false }
        // An archive may give the index a second name, which changes its status.
        return try filesVersion().hasContent(of: mark.version)
    }

    /// Whether anything but padding is at `offset` of the journal.
    private func hasRecord(at offset: Int) throws -> Bool {
        let file = try fileSystem.openFileIfPresent(names.journal, in: handle, for: .read)
        guard let file else { return true }
        return try fileSystem.read(file, at: offset, count: 1).contains {
            $0 != Journal.paddingByte
        }
    }
}

extension Journal {
    /// The offset of the next record of the journal `bytes`, if nothing in them is cut off.
    static func end(of bytes: [UInt8]) -> Int {
        // The last byte of a record is a newline, as padding is.
        let last = bytes.lastIndex { $0 != paddingByte } ?? -1
        return min(last + 2, bytes.count)
    }
}
