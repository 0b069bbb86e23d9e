import FileSystem

/// Folders that are made for new items before the index is committed.
///
/// If another index is in the same folder, nobody can tell whether an empty folder belongs to one of its
/// items. So the library marks a folder while its item is being added: an empty hidden file says that
/// this index makes it. A process that dies leaves the mark, and others can remove the folder.
extension IndexFolder {
    /// Marks the folders `names`, which are about to be made.
    func markNewFolders(_ names: [FileName]) throws {
        for name in names {
            let access = FileAccess.openOrCreate(mode: options.filePermissions)
            _ = try fileSystem.openFile(try self.names.mark(of: name), in: handle, for: access)
        }
    }

    /// Removes the marks of `names`, whose items are in the index or whose folders are removed.
    ///
    /// Best effort: of a folder with an item, a mark means nothing.
    func unmarkFolders(_ names: [FileName]) {
        for name in names {
            guard let mark = try? self.names.mark(of: name) else { continue }
            try? fileSystem.removeFile(mark, in: handle)
        }
    }

    /// Removes the folder `name`, which no item of this index owns, if a process that died has made it.
    ///
    /// - Returns: Whether it was removed; never if anything is in it.
    func removeAbandonedFolder(_ name: FileName) throws -> Bool {
        guard try fileSystem.status(of: names.mark(of: name), in: handle) != nil,
            (try? fileSystem.removeFolder(name, in: handle)) != nil
        else { return false }
        unmarkFolders([name])
        return true
    }

    /// Removes the folders that processes made and died before they added the items, which are not in
    /// `owned`, and all marks.
    func removeAbandonedFolders(_ owned: NameTable<some Hashable & Sendable>) throws {
        let entries = try fileSystem.list(handle)
        let marks = Set(entries.filter(names.isMark))
        if marks.isEmpty { return }
        // Without it, a power loss could take back an item, but not what is removed here.
        try syncIndex()
        for name in entries
        where try !name.isHidden && !owned.owns(name) && marks.contains(names.mark(of: name)) {
            _ = try removeAbandonedFolder(name)
        }
        for mark in marks {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(mark, in: handle) }
        }
    }
}
