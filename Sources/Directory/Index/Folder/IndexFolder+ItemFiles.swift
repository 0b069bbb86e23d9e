import FileSystem

extension IndexFolder {
    /// Checks that an index has its journal, and that an empty index file did not lose its items.
    ///
    /// - Throws: ``DirectoryError`` with `journalMissing`; `damagedIndex` if files that only items can own are
    ///   beside an empty file.
    func checkThatNothingIsMissing(
        in contents: IndexContents, _ reader: any ElementReader
    ) throws {
        if contents.lacksJournal { throw journalIsLeftBehind }
        guard contents.bytes?.isEmpty == true, let name = try fileOfItem(reader) else { return }
        throw DirectoryError(
            .damagedIndex, "read", indexURL, "it is empty, although \(name) is beside it",
            people: .init(reason: "it is empty, although files of its items are there"))
    }

    /// The name of a container's folder, or of an asset; nil if there is none.
    private func fileOfItem(_ reader: any ElementReader) throws -> FileName? {
        if reader.ownsFolders {
            for name in try fileSystem.list(handle) where !name.isHidden {
                if try fileSystem.status(of: name, in: handle)?.kind == .folder { return name }
            }
        }
        guard reader.ownsFiles else { return nil }
        return try assetsFolders().flatMap { try fileSystem.list($0.handle) }.first
    }
}
