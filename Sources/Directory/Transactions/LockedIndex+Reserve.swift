import FileSystem

/// Reserves space for the later commits of a write to several collections: if the volume were full then, the write
/// could no longer be rolled back.
extension LockedIndex {
    /// Makes a temporary file as large as the bytes that a commit of `next` writes.
    ///
    /// - Returns: Its name; nil if the journal has the space already.
    func reserveSpace(for next: Snapshot, _ change: ElementChange, moved: Set<ElementID>) throws
        -> FileName?
    {
        let operations = operations(to: next, change, moved: moved)
        let journal = known.state.journal?.tail
        var tail = journal ?? Journal.Tail(end: 0, checksum: 0, durable: 0)
        let record = tail.append(.operations(operations ?? [])).count
        if operations != nil, let journal, journal.padding >= record { return nil }
        let name = try store.names.newTemporary()
        try folder.removingOnError(name) {
            let file = try folder.makeFile(name, in: folder.handle)
            var end = 0
            if operations == nil {
                var writer = IndexWriter(fileSystem: fileSystem, file: file)
                for line in next.lines { try writer.append(line) }
                end = try writer.finish().length
            }
            // The record, and the header and the padding of a new journal.
            let rest = [UInt8](
                repeating: Journal.paddingByte, count: record + 128 + store.options.journalGrowth)
            try fileSystem.write(rest, to: file, at: end)
        }
        return name
    }

    /// Removes the file, so that the commit can have its space.
    ///
    /// Best effort: the next process that locks the index removes a file that stays.
    func removeReserve(_ name: FileName?) {
        if let name { try? fileSystem.removeFile(name, in: folder.handle) }
    }
}
