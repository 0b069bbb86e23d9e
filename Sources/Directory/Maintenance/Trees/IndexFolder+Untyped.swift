import FileSystem
import Foundation
import JSONCodec

/// Reading an index without the type of its items, without the lock, and without writing anything.
extension IndexFolder {
    /// The elements of the newest committed state; none if a file is of the wrong kind, which is another finding.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex`, `journalDamaged` or `indexConflict`.
    func untypedElements() throws -> UntypedElements {
        guard try areFiles else { return UntypedElements() }
        let contents = try read()
        try checkThatNothingIsMissing(in: contents, lineReader)
        return try UntypedElements(IndexReader(lineReader).lines(of: contents))
    }

    /// The elements of a file that has the name of an index, but neither a lock file nor a journal; nil
    /// if it is not an array of objects, and so may be anything.
    func elementsIfIndex() throws -> UntypedElements? {
        guard let found = try fileSystem.status(of: names.index, in: handle), found.kind == .file,
            // Without a lock file, it may be no index, so it is not downloaded.
            !found.isDataless, try beginsLikeArray()
        else { return nil }
        guard try areFiles else { return UntypedElements() }
        do {
            let contents = try read()
            let elements = try UntypedElements(IndexReader(lineReader).lines(of: contents))
            if !elements.areObjects { return nil }
            if contents.lacksJournal { throw journalIsLeftBehind }
            return elements
        } catch let error as DirectoryError where error.code == .damagedIndex {
            return nil
        }
    }

    /// Whether the index, the journal and the lock file are files or missing.
    private var areFiles: Bool {
        get throws {
            try [names.index, names.journal, names.lock].allSatisfy { name in
                let found = try fileSystem.status(of: name, in: handle)
                return found == nil || found?.kind == .file
            }
        }
    }

    /// Whether the first bytes of the index can be those of an array, so that other files, which may be
    /// large, are not read.
    private func beginsLikeArray() throws -> Bool {
        let file = try fileSystem.openFileIfPresent(names.index, in: handle, for: .read)
        guard let file else { return false }
        let bytes = try fileSystem.read(file, at: 0, count: 64)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        let first = rest.first { !" \t\r\n".utf8.contains($0) }
        return first == nil ? bytes.count == 64 : first == UInt8(ascii: "[")
    }
}
