import FileSystem

extension StoreFolder {
    /// Deletes the file at `path`.
    func delete(_ path: StorePath) throws {
        let folder = try openFolder(holding: path)
        switch try fileSystem.status(of: path.name, in: folder)?.kind {
        case nil: throw FileStoreError.fileNotFound(path: path.string)
        case .folder: throw FileStoreError.isDirectory(path: path.string)
        case .symbolicLink, .other: throw FileStoreError.link(path: path.string)
        case .file: try fileSystem.removeFile(path.name, in: folder)
        }
        try fileSystem.sync(folder)
    }

    /// Deletes the folder at `path` with its contents.
    func deleteFolder(_ path: StorePath) throws {
        _ = try openFolder(path)
        let parent = try openFolder(holding: path)
        let name = try TemporaryName.random()
        try fileSystem.rename(path.name, in: parent, to: name, in: parent, replacing: false)
        try fileSystem.sync(parent)
        try removeTree(name, in: parent)
    }

    /// Deletes everything in the store.
    func deleteAll() throws {
        _ = try openRoot(making: false)
        guard let parent = try openParent(making: true) else { return }
        let removed = try TemporaryName.random()
        _ = try fileSystem.unlessMissing {
            try fileSystem.rename(name.get(), in: parent, to: removed, in: parent, replacing: false)
            try fileSystem.sync(parent)
        }
        // Before the new folder is made, because a full volume has no space for it.
        try removeTree(removed, in: parent)
        removeLeftFolders(in: parent)
        try retrying { _ = try openRoot(making: true) }
    }

    /// Removes the folders that left a store in `folder` when a call failed or its process died.
    ///
    /// Best effort: a folder that cannot be removed is never listed. A folder with such a name never
    /// comes back, so its age does not matter; only files are being written under such names.
    private func removeLeftFolders(in folder: Handle) {
        for name in (try? fileSystem.list(folder)) ?? [] where TemporaryName.matches(name) {
            guard let kind = try? fileSystem.status(of: name, in: folder)?.kind, kind == .folder
            else { continue }
            try? fileSystem.removeTree(name, in: folder)
        }
    }

    /// Removes a folder that was moved out of the store.
    ///
    /// A writer that opened the folder before the move can still add files to it. Then an attempt fails
    /// with `directoryNotEmpty`, and this tries again.
    private func removeTree(_ name: FileName, in parent: Handle) throws {
        for _ in 1..<Self.attempts {
            do {
                return try fileSystem.removeTree(name, in: parent)
            } catch let error as FileSystemError where error.code == .directoryNotEmpty {
                continue
            }
        }
        try fileSystem.removeTree(name, in: parent)
    }
}
