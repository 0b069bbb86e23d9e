import FileSystem

/// Folders of new containers, while no other process can see them.
extension IndexFolder {
    /// Syncs a file or a folder; does nothing while no other process can see the folder of the index.
    func sync(_ handle: Handle) throws {
        if !store.isUnseen { try fileSystem.sync(handle) }
    }
}

extension FileSystem {
    /// Syncs the indexes in `folder`, which was unseen, and all folders in it; the drive is not flushed.
    ///
    /// The files of assets were synced before they got their names.
    func syncUnseen(_ folder: Handle) throws {
        let names = try list(folder)
        let stems = Set(names.compactMap(FileRole.index.stem))
        var handles: [Handle] = []
        for name in names {
            switch try status(of: name, in: folder)?.kind {
            case .folder:
                let inner = try openFolder(name, in: folder)
                if stems.contains(name) { handles.append(inner) } else { try syncUnseen(inner) }
            case .file where FileRole.index.matches(name):
                handles.append(try openFile(name, in: folder, for: .read))
            default: break
            }
        }
        try syncToDrive(handles + [folder])
    }
}
