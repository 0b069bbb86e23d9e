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
    /// - Returns: The mark that shows later commits to the index; nil while a file is being replaced.
    func copyJournal(of index: IndexFolder, _ pair: FolderPair) throws -> IndexMark? {
        guard let version = try index.version() else { return nil }
        let name = index.names.journal
        guard let bytes = try fileSystem.readAll(name, in: pair.original) else {
            return IndexMark(version: version, journalEnd: nil)
        }
        let mode = try fileSystem.status(of: name, in: pair.original)?.mode
        try copier.write(
            bytes, to: name, in: pair.copy, mode: mode ?? reader.store.options.filePermissions)
        pair.record.journals.insert(name)
        return IndexMark(version: version, journalEnd: Journal.end(of: bytes))
    }
}
