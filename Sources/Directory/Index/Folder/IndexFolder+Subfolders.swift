import FileSystem

extension IndexFolder {
    /// Opens the folder `name`, and makes it first if it is missing; its name is durable afterwards.
    ///
    /// The name of a folder that exists is synced once: the process that made it may have died before it synced the
    /// name.
    func openOrMake(_ name: FileName) throws -> Handle {
        let opened = try openOrMakeFolder(name, in: handle)
        let identity = try fileSystem.status(of: opened).identity
        if store.syncedFolder(name) != identity {
            let status = try statusBeforeSync
            if status == nil || status != store.syncedStatus {
                try sync(handle)
                store.syncedStatus = status
            }
            store.setSyncedFolder(name, identity)
        }
        return opened
    }

    /// The status of the folder now; nil if a later change may not show in it.
    var statusBeforeSync: FileStatus? {
        get throws {
            let status = try fileSystem.status(of: handle)
            return fileSystem.everyChangeShows(after: status) ? status : nil
        }
    }

    /// Opens the folder `name` in the subfolder `parent`, and makes both first if they are missing; nothing is synced.
    ///
    /// Calls `fill` with the folder, and tries again if a recovery or another transaction meanwhile
    /// removes one of the two because it is empty.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if `parent` is not a folder.
    func openOrMake(
        _ name: FileName, in parent: FileName, fill: (Handle) throws -> Void = { _ in }
    ) throws -> Handle {
        do {
            for _ in 0..<100 {
                let made = try fileSystem.unlessMissing {
                    let parent = try openOrMakeFolder(parent, in: handle)
                    let made = try openOrMakeFolder(name, in: parent)
                    try fill(made)
                    return made
                }
                if let made { return made }
            }
        } catch let error as FileSystemError where error.isNoFolder {
            throw DirectoryError(
                .nameTaken, "use", handle.url(of: parent),
                "files that move with a change need a folder with this name", underlying: error,
                remedy: "Move or rename what has the name.",
                people: .init(
                    operation: "change", name: names.index.string,
                    reason: "a file has the name \(parent), which it needs for a folder"))
        }
        throw FileSystemError("make folder", handle.path(of: parent), .noSuchFile)
    }

    /// Opens the folder `name`; nil if it is missing.
    ///
    /// Something else in place of `.staging`, `.trash` or `.removed` counts as a missing folder.
    func openFolder(_ name: FileName) throws -> Handle? {
        do {
            return try fileSystem.openFolderIfPresent(name, in: handle)
        } catch let error as FileSystemError
            where error.isNoFolder
            && [IndexNames.staging, IndexNames.trash, IndexNames.removed].contains(name)
        {
            return nil
        }
    }

    /// Opens the folder `name` in the subfolder `parent`; nil if it is missing or not a folder.
    func openFolder(_ name: FileName, in parent: FileName) throws -> Handle? {
        guard let parent = try openFolder(parent),
            try fileSystem.status(of: name, in: parent)?.kind == .folder
        else { return nil }
        return try fileSystem.openFolderIfPresent(name, in: parent)
    }

    /// Removes the folder `name` if it is empty.
    ///
    /// Best effort: another transaction may use the folder, which then stays.
    func removeIfEmpty(_ name: FileName) { removeIfEmpty(name, in: handle) }

    /// Removes the folder `name` in `parent` if it is empty; best effort as well.
    func removeIfEmpty(_ name: FileName, in parent: Handle) {
        try? fileSystem.removeFolder(name, in: parent)
    }
}
