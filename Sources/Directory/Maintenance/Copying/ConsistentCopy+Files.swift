import FileSystem

/// One pass over one folder.
extension ConsistentCopy {
    /// Makes the copy of a folder have the files of `contents`.
    ///
    /// A file that was copied before stays, unless it was changed in the original.
    func copyFiles(of contents: FolderContents, _ pair: FolderPair) throws {
        let record = pair.record
        for path in record.subfolders.keys where !contents.subfolders.contains(path) {
            try removeSubfolder(path, of: pair)
        }
        for path in record.files.keys where contents.files[path] == nil {
            try removeFolder(path, of: pair)
            record.files[path] = nil
        }
        for (path, files) in contents.files {
            guard let source = try fileSystem.openFolder(path, in: pair.original) else { continue }
            let mode = try fileSystem.status(of: source).mode
            let target = try copier.openOrMakeFolder(path, in: pair.copy, mode: mode)
            // Taken out of the dictionary, so that it is changed in place.
            var copied = record.files.removeValue(forKey: path) ?? [:]
            for (name, file) in copied where files[name]?.hasContent(of: file.original) != true {
                try fileSystem.removeFile(name, in: target)
                copied[name] = nil
            }
            let earlier = try earlier?.folder(at: record.path + path)
            for (name, status) in files where copied[name] == nil {
                if earlier?.link(name, ifCopyOf: status, to: target) == true {
                    try copier.step(status.size)
                    copied[name] = CopiedFile(original: status, isInEarlierCopy: true)
                } else {
                    copied[name] = try copier.copy(name, from: source, to: target)
                }
            }
            record.files[path] = copied
        }
    }

    /// Opens the folder at `path` in the original and in the copy, where it is made if it is new.
    ///
    /// If the original is missing, or is not the folder that was copied, the copy of that folder is removed, and the
    /// folder around it is changing.
    ///
    /// - Returns: Nil if the original is missing.
    func enter(_ path: FolderPath, of pair: FolderPair) throws -> FolderPair? {
        let original = try fileSystem.openFolder(path, in: pair.original)
        let status = try original.map(fileSystem.status(of:))
        if let known = pair.record.subfolders[path], known.identity != status?.identity {
            try removeSubfolder(path, of: pair)
            pair.record.state = .changing
        }
        guard let original, let status else {
            pair.record.state = .changing
            return nil
        }
        let copy = try copier.openOrMakeFolder(path, in: pair.copy, mode: status.mode)
        let record =
            pair.record.subfolders[path]
            ?? CopiedFolder(status.identity, at: pair.record.path + path)
        pair.record.subfolders[path] = record
        return FolderPair(record: record, original: original, copy: copy)
    }

    private func removeSubfolder(_ path: FolderPath, of pair: FolderPair) throws {
        try removeFolder(path, of: pair)
        pair.record.subfolders[path] = nil
    }

    /// Removes the folder at `path` from the copy.
    private func removeFolder(_ path: FolderPath, of pair: FolderPair) throws {
        guard let name = path.last,
            let parent = try fileSystem.openFolder(Array(path.dropLast()), in: pair.copy)
        else { return }
        try fileSystem.removeTree(name, in: parent)
        // Best effort: `.staging`, and the folder of a transaction there.
        guard path.first?.isHidden == true else { return }
        for count in (1..<path.count).reversed() {
            let parent = try fileSystem.openFolder(Array(path.prefix(count - 1)), in: pair.copy)
            if let parent { try? fileSystem.removeFolder(path[count - 1], in: parent) }
        }
    }
}

/// Journals are small, and are written to in place, so each pass under the lock copies them anew.
extension ConsistentCopy {
    func removeJournals(_ pair: FolderPair) throws {
        for name in pair.record.journals { try fileSystem.removeFile(name, in: pair.copy) }
        pair.record.journals = []
    }

    /// Copies the journal of a locked index, if there is one.
    ///
    /// - Returns: The offset of its next record.
    func copyJournal(of index: IndexFolder, _ pair: FolderPair) throws -> Int? {
        let name = index.names.journal
        guard let bytes = try fileSystem.readAll(name, in: pair.original) else {
            if try index.lacksJournal { throw index.journalIsLeftBehind }
            return nil
        }
        let mode = try fileSystem.status(of: name, in: pair.original)?.mode
        try copier.write(
            bytes, to: name, in: pair.copy, mode: mode ?? reader.store.options.filePermissions)
        pair.record.journals.insert(name)
        return Journal.end(of: bytes)
    }

    /// Makes each index in the copy complete, and removes the journals.
    ///
    /// Tools that copy files often leave out hidden ones. A copy without its journals would be an earlier state, and
    /// nothing would show that. A journal that cannot be read, or does not belong to its index, stays.
    func writeJournalsIntoIndexes(_ record: CopiedFolder, _ copy: Handle) throws {
        for journal in record.journals {
            try copier.step(0)
            guard let stem = FileRole.journal.stem(of: journal),
                let names = IndexNames(stem: stem, in: copy.url)
            else { continue }
            if try writeJournalIntoIndex(reader.index(names, in: copy), record) {
                try fileSystem.removeFile(journal, in: copy)
                record.journals.remove(journal)
            }
        }
        for (path, inner) in record.subfolders {
            guard let copy = try fileSystem.openFolder(path, in: copy) else { continue }
            try writeJournalsIntoIndexes(inner, copy)
        }
    }

    /// Writes the newest state of an index in the copy into a new file, unless it is whole without its journal.
    ///
    /// - Returns: False if the two cannot be read together.
    private func writeJournalIntoIndex(_ index: IndexFolder, _ record: CopiedFolder) throws -> Bool
    {
        let lines: [ArraySlice<UInt8>]
        do {
            let contents = try index.read()
            // A write to several collections that cannot be ended stays.
            if contents.state.journal?.joint != nil { return false }
            if contents.state.journal?.isDispensable != false { return true }
            lines = try IndexReader(index.lineReader).lines(of: contents)
        } catch let error as DirectoryError where error.code.isDamage {
            return false
        }
        let name = index.names.index
        let mode = try fileSystem.status(of: name, in: index.handle)?.mode
        // A file that the earlier copy has too stays as it is there.
        try fileSystem.removeFile(name, in: index.handle)
        let file = try copier.makeFile(
            name, in: index.handle, mode: mode ?? index.options.filePermissions)
        var writer = IndexWriter(fileSystem: fileSystem, file: file)
        for line in lines { try writer.append(line) }
        _ = try writer.finish()
        record.files[[]]?[name] = nil
        record.completed.insert(name)
        return true
    }
}
