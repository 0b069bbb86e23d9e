import FileSystem

/// Folders of new containers, while no other process can see them.
extension IndexFolder {
    /// Syncs a file or a folder; does nothing while no other process can see the folder of the index.
    func sync(_ handle: Handle) throws {
        if !store.isUnseen { try fileSystem.sync(handle) }
    }
}

extension FileSystem {
    /// Adds to `unsynced` the indexes in `folder`, which was unseen, and all folders in it.
    ///
    /// The files of assets were synced before they got their names. So that not too many files are open at once, some are
    /// synced already; the drive is not flushed.
    func openUnseen(_ folder: Handle, _ unsynced: inout [Handle]) throws {
        let names = try list(folder)
        let stems = Set(names.compactMap(FileRole.index.stem))
        for name in names {
            switch try status(of: name, in: folder)?.kind {
            case .folder:
                let inner = try openFolder(name, in: folder)
                if stems.contains(name) {
                    unsynced.append(inner)
                } else {
                    try openUnseen(inner, &unsynced)
                }
            case .file where FileRole.index.matches(name):
                unsynced.append(try openFile(name, in: folder, for: .read))
            default: break
            }
        }
        unsynced.append(folder)
        if unsynced.count >= 32 {
            try syncToDrive(unsynced)
            unsynced = []
        }
    }
}
