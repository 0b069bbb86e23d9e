import FileSystem

extension Transaction {
    /// Whether the commit removes folders or files.
    var removesAny: Bool { !intent.removedFiles.isEmpty || intent.removesFolder }

    /// Moves the removed folders and files that no item owns any more to `trash`, to keep them.
    ///
    /// ``removeFiles(notIn:)`` removes the others. `kept` gets the moved ones, also if this throws.
    func keepRemoved(
        notIn names: OwnedNames, in trash: TrashFolder,
        _ kept: inout KeptFiles
    ) throws {
        let target = try folder.make(trash)
        func keep(_ name: FileName, of source: Handle) throws -> KeptFiles.Place? {
            let hidden = try FileName(validating: ".\(RandomName.digits())")
            return try fileSystem.moveIfPresent(name, in: source, to: hidden, in: target)
                ? .init(path: trash.path, name: hidden) : nil
        }
        for removed in try parkedRemovals {
            kept.folders[removed.name] = try keep(removed.slot, of: removed.parent)
        }
        for assets in folder.store.assetFolders {
            guard let assets = try folder.openFolder(assets) else { continue }
            for name in intent.removedFiles
            where kept.files[name] == nil && !names.files.owns(name) {
                guard try fileSystem.status(of: name, in: assets)?.kind == .file else { continue }
                kept.files[name] = try keep(name, of: assets)
            }
        }
    }
}

extension Transaction {
    /// Checks the removed folders and files against `returning`: each folder has the expected contents, or none, and no
    /// file was written to.
    ///
    /// By now the folders are parked, so other calls cannot find them.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict`.
    func check(_ returning: Returning) throws {
        for (name, present, parent) in try parkedRemovals {
            guard let inner = try fileSystem.openFolderIfPresent(present, in: parent),
                try FolderDigest(of: inner, folder.store)
                    != returning.expectedContents[name] ?? FolderDigest()
            else { continue }
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", folder.indexURL,
                "something in the folder \(name) was added or changed since")
        }
        for name in intent.removedFiles {
            guard let expected = returning.expectedFiles[name],
                let found = try folder.findAsset(name), FileState(found.status) != expected
            else { continue }
            throw DirectoryError(
                .undoConflict, "undo or redo a change of", folder.indexURL,
                "the file \(name) was changed since",
                people: .init(reason: "a file was changed since"))
        }
    }

    /// The files that came with the commit.
    var importedFiles: [FileName: FileState] {
        get throws {
            guard !intent.imports.isEmpty, let assets = try folder.openFolder(folder.names.stem)
            else { return [:] }
            let files = try intent.imports.map(\.asset).compactMap { name in
                try fileSystem.status(of: name, in: assets).map { (name, FileState($0)) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }
}
