import FileSystem

extension Core {
    /// Throws if a collection of this process inside one of the items with `ids`, or inside any item if that is nil, knows
    /// changes that its files do not have any more.
    ///
    /// Its own calls say so too. But a copy would leave those changes out without a word, and a transfer would take the
    /// folder away from the only collection that can write them again.
    ///
    /// - Throws: ``DirectoryError`` with `journalMissing`.
    func checkJournals(inside ids: Set<ElementID>? = nil) throws {
        for core in Registry.shared.cores(in: self) {
            guard let location = core.location.value as? ContainerLocation,
                ids?.contains(location.id) != false
            else { continue }
            if let folder = core.folderOfLostJournal { throw folder.journalIsMissing }
            if core.reader.ownsFolders { try core.checkJournals() }
        }
    }

    /// The folder of the index, if its files lack changes that this process knows; nil also while another thread loads or
    /// commits, which finds that out itself.
    private var folderOfLostJournal: IndexFolder? {
        guard var taken = writer.take(within: .zero) else { return nil }
        defer { writer.release(&taken) }
        let state = taken.known.state
        // What cannot be read now is no loss.
        guard let journal = state.journal, journal.pending > 0,
            let folder = try? openFolderIfUnmoved(),
            (try? folder.version().map { try folder.isCurrent(state, at: $0) }) != true,
            let found = try? folder.read(), state.hasLostRecords(in: found)
        else { return nil }
        return folder
    }
}
