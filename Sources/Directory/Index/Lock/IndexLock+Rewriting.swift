import FileSystem

extension IndexLock {
    /// Removes the temporary files, and removed folders, that processes left when they died.
    func removeTemporaryFiles() throws {
        for name in try fileSystem.list(folder.handle) where names.isTemporary(name) {
            try fileSystem.removeTree(name, in: folder.handle)
        }
    }

    /// Replaces the index by one with `lines`, and removes the journal, which is then not needed.
    ///
    /// - Returns: The new index, as it was before its rename.
    func rewrite(
        _ lines: [ArraySlice<UInt8>], _ journal: KnownJournal?,
        _ durability: DirectoryOptions.Durability
    ) throws -> TemporaryIndex {
        // If it had the bytes of the present index, the checkpoint record would commit the change
        // before the rename, which can still fail.
        let new = try folder.writeTemporary(lines, unlike: journal?.index)
        try folder.removingOnError(new.name) {
            if let journal {
                // From here on the journal belongs to the new index as well as to the old one.
                let body = Journal.Record.Body.checkpoint(
                    new.fingerprint, through: journal.tail.sequence)
                _ = try append(body, to: journal, .durable)
            }
            try replace(names.index, by: new.name) {
                guard durability == .durable || journal != nil else { return }
                try folder.syncReplacement()
                if journal != nil { try removeJournal() }
            }
            if journal == nil { setNeedsNewJournal(false) }
        }
        return new
    }

    /// Replaces the index by `new`, which holds the records up to a sequence number, and keeps the
    /// later records in a new journal.
    ///
    /// - Returns: The state afterwards; nil if `new` has the mark of a journal, and there are no later records: then
    ///   nothing was replaced.
    func checkpoint(_ journal: KnownJournal, into new: TemporaryIndex, through sequence: Int) throws
        -> IndexState?
    {
        let file = try fileSystem.openFile(names.journal, in: folder.handle, for: .read)
        let later = try Journal(fileSystem.readAll(file)).records.filter { record in
            record.sequence > sequence && !record.isCheckpoint
        }
        if later.isEmpty, new.isMarked { return nil }
        // From here on the journal belongs to the new index as well as to the old one.
        let body = Journal.Record.Body.checkpoint(new.fingerprint, through: sequence)
        _ = try append(body, to: journal, .durable)
        var rest: KnownJournal?
        try replace(names.index, by: new.name) {
            try folder.syncReplacement()
            if later.isEmpty {
                try removeJournal()
            } else {
                rest = try createJournal(
                    for: new.fingerprint, isMarked: new.isMarked, later.map(\.body))
            }
        }
        let version = try? folder.version()
        // If the journal could not be removed, or another program edited the index since its rename,
        // the next call reads the files again.
        let isKnown = version?.hasIndex(new) == true && (version?.journal == nil) == (rest == nil)
        return IndexState(version: isKnown ? version : nil, journal: rest)
    }

    /// Writes the bytes of the index, without the mark of a journal, to a new file, and removes the journal.
    ///
    /// For other processes that know records of the journal, a journal that is gone beside the same file is a loss.
    func rewriteUnmarked() throws {
        guard let bytes = try fileSystem.readAll(names.index, in: folder.handle) else {
            return try removeJournal()
        }
        let new = try folder.writeTemporary(
            JournalMark.remove(from: bytes), IndexFingerprint(of: bytes))
        try folder.removingOnError(new.name) {
            try replace(names.index, by: new.name) {
                try folder.syncReplacement()
                try removeJournal()
            }
        }
    }

    /// Gives the temporary file the name `name`, then calls `finish`, in one change of generation.
    func replace(_ name: FileName, by temporary: FileName, finish: () throws -> Void) throws {
        try changingGeneration {
            try fileSystem.rename(
                temporary, in: folder.handle, to: name, in: folder.handle, replacing: true)
            try finish()
        }
    }

    /// Removes a journal whose records are all in the index, and makes that durable.
    ///
    /// This comes before the next replacement of the index: a journal that came back after a power
    /// loss would not belong to that index.
    func removeJournal() throws {
        closeJournal()
        do {
            try fileSystem.removeFile(names.journal, in: folder.handle)
        } catch {
            // The journal stays, and its checkpoint record says that it holds nothing new.
            return
        }
        try folder.syncReplacement()
        setNeedsNewJournal(false)
    }
}
