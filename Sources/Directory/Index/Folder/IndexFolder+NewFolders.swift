import FileSystem

/// The folders of new containers, which are made before the index is committed.
///
/// If another index may be in the same folder, an empty folder may belong to one of its items. So a new folder is
/// marked there until its item is committed, by an empty hidden file in it that is named after this index. If the
/// process dies before the commit, the mark distinguishes the folder from those of other indexes.
extension IndexFolder {
    /// Makes the folders `names`, with their marks if `marked`.
    ///
    /// If this throws, none of them stays.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if another process has made one of them meanwhile.
    func makeNewFolders(_ names: [FileName], marked: Bool) throws {
        if names.isEmpty { return }
        var made: [FileName] = []
        do {
            if marked {
                try makeMarkedFolders(names, &made)
            } else {
                try makeUnmarkedFolders(names, &made)
            }
            try sync(handle)
        } catch {
            // The first error is the one to report.
            try? removeNewFolders(made, marked: marked)
            throw error
        }
    }

    private func makeUnmarkedFolders(_ names: [FileName], _ made: inout [FileName]) throws {
        let mode = options.folderPermissions
        for name in names {
            try takingName(name) { try fileSystem.makeFolder(name, in: handle, mode: mode) }
            made.append(name)
            try protect(fileSystem.openFolder(name, in: handle), mode: mode)
        }
    }

    private func makeMarkedFolders(_ names: [FileName], _ made: inout [FileName]) throws {
        let new = try names.map { (name: $0, temporary: try self.names.newTemporary()) }
        do {
            for temporary in new.map(\.temporary) {
                let folder = try openOrMakeFolder(temporary, in: handle)
                _ = try makeFile(self.names.mark, in: folder)
            }
            // After a power loss, a folder with the name must have the mark.
            for temporary in new.map(\.temporary) {
                try fileSystem.sync(fileSystem.openFolder(temporary, in: handle))
            }
            for (name, temporary) in new {
                try takingName(name) {
                    try fileSystem.move(temporary, in: handle, to: name, in: handle)
                }
                made.append(name)
            }
        } catch {
            // Best effort: the next process that locks the index removes the folders that stay.
            for temporary in new.map(\.temporary) {
                try? fileSystem.removeTree(temporary, in: handle)
            }
            throw error
        }
    }

    private func takingName(_ name: FileName, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FileSystemError where error.code == .fileExists {
            throw nameIsTaken(name, underlying: error)
        }
    }

    /// Removes the folders `names` that ``makeNewFolders(_:marked:)`` made, if nothing else is in them.
    func removeNewFolders(_ names: [FileName], marked: Bool) throws {
        for name in names {
            if marked {
                _ = try removeMarkedFolder(name)
            } else {
                _ = try fileSystem.unlessMissing { try fileSystem.removeFolder(name, in: handle) }
            }
        }
    }

    /// Removes the mark from the folder `name`, whose item is committed.
    func unmarkFolder(_ name: FileName) throws {
        guard let folder = try fileSystem.openFolderIfPresent(name, in: handle) else { return }
        _ = try fileSystem.unlessMissing { try fileSystem.removeFile(names.mark, in: folder) }
    }

    /// Removes the marks from the folders `names`, durably, before another index gets them.
    ///
    /// Because of a mark that a dead process left, this index could later remove the folder.
    func unmarkFoldersToMove(_ names: [FileName]) throws {
        for name in names {
            guard let folder = try fileSystem.openFolderIfPresent(name, in: handle) else {
                continue
            }
            let entries = try fileSystem.list(folder)
            let isMarked = entries.contains(self.names.mark)
            if isMarked { try fileSystem.removeFile(self.names.mark, in: folder) }
            // The mark of an empty folder may have been removed without a sync.
            if isMarked || entries.isEmpty { try fileSystem.sync(folder) }
        }
    }

    /// Whether the folder `name` has the mark of this index, and nothing else in it.
    ///
    /// A copy calls this without the lock, so another process may move the folder meanwhile.
    func isMarkedFolder(_ name: FileName) throws -> Bool {
        guard try fileSystem.status(of: name, in: handle)?.kind == .folder else { return false }
        let entries = try fileSystem.unlessMissing {
            try fileSystem.unlessRefused {
                try fileSystem.list(fileSystem.openFolder(name, in: handle))
            }
        }
        return entries == [names.mark]
    }

    /// Removes the folders `names`, which are marked and empty, because their names are needed.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if there is something in one of them by now.
    func removeLeftovers(_ names: [FileName]) throws {
        for name in names where try !removeMarkedFolder(name) {
            throw nameIsTaken(name)
        }
    }

    /// The error if something else has a name that an item is to get.
    func nameIsTaken(_ name: FileName, underlying error: (any Error)? = nil) -> DirectoryError {
        DirectoryError(
            .nameTaken, "use", handle.url(of: name), "the name is taken", underlying: error,
            people: .init(
                operation: "use the name", reason: "something else has it already"))
    }

    /// Removes the folder `name`, which no item of this index owns, if it is marked and empty.
    ///
    /// - Returns: Whether it was removed.
    func removeMarkedFolder(_ name: FileName) throws -> Bool {
        guard try isMarkedFolder(name) else { return false }
        // The temporary name comes first: without the mark, the owner of the folder would not be known.
        let temporary = try names.newTemporary()
        try fileSystem.move(name, in: handle, to: temporary, in: handle)
        try fileSystem.sync(handle)
        do {
            try unmarkFolder(temporary)
            try fileSystem.removeFolder(temporary, in: handle)
        } catch {
            // Another process has just put something into the folder, so the folder gets its name back.
            try fileSystem.move(temporary, in: handle, to: name, in: handle)
            return false
        }
        return true
    }
}
