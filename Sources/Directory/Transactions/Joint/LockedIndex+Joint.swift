import FileSystem

/// The part of one index in a write to several collections.
extension LockedIndex {
    /// Writes `part`, which does not count until ``commitPart(_:)``.
    ///
    /// The journal stays open until the lock is released: once the write is decided, it must not need one more file.
    func prepare(_ part: JointPart, _ durability: DirectoryOptions.Durability) throws {
        try append(.prepared(part), durability)
        _ = try lock.openJournal()
    }

    /// Commits the part that was prepared; in the home, this decides that the whole write takes place.
    ///
    /// The caller calls ``accept(_:_:isDurable:)`` once the record is on stable storage.
    func commitPart(_ durability: DirectoryOptions.Durability) throws {
        guard let number = known.state.journal?.joint?.number else { return }
        try append(.committed(number), durability)
    }

    /// Ends the part; if it was not committed, it does not count.
    func endPart(_ durability: DirectoryOptions.Durability) throws {
        guard let number = known.state.journal?.joint?.number else { return }
        try append(.ended(number), durability)
    }

    /// Puts the newest records of `indexes` on stable storage.
    ///
    /// If a sync fails, their journals are written to new files.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt` if that fails too. Then the next record of each journal begins with it.
    static func syncRecords(of indexes: [LockedIndex]) throws {
        let indexes = indexes.filter(\.hasUnsyncedRecords)
        guard let first = indexes.first else { return }
        let files = try indexes.map { try $0.lock.openJournal() }
        do {
            // A folder inside the store can be a mount point.
            for ofVolume in Dictionary(grouping: files, by: \.1.identity.device).values {
                try first.fileSystem.syncData(ofVolume.map(\.0))
            }
        } catch {
            let areMarked = indexes.map { $0.lock.setNeedsNewJournal(true) }
            do {
                for index in indexes { try index.renew() }
            } catch let second {
                let error = DirectoryError(
                    .inDoubt, "sync", first.folder.url,
                    "the journals of a change could neither be synced nor written anew",
                    underlying: error, detail: "\(second)",
                    people: .init(doubtAfter: error, of: first.folder.names.index.string))
                for (index, isMarked) in zip(indexes, areMarked) where !isMarked {
                    index.known.commitFailure = CommitFailure(error)
                }
                throw error
            }
            return
        }
        for index in indexes {
            let tail = index.known.state.journal?.tail
            index.known.state.journal?.tail.durable = tail?.end ?? 0
        }
    }

    private var hasUnsyncedRecords: Bool {
        known.state.journal.map { $0.tail.durable < $0.tail.end } ?? false
    }
}
