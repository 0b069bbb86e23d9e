import FileSystem

extension Transaction {
    /// Whether the commit removes folders or files.
    var removesAny: Bool { !intent.removedFiles.isEmpty || intent.removesFolder }

    /// Moves the removed folders and files that no item owns any more to the folder `trash`, to keep them.
    ///
    /// ``removeFiles(notIn:)`` removes the others.
    ///
    /// - Returns: The moves that bring them back.
    func keepRemoved(notIn names: OwnedNames, in trash: FolderPath) throws -> [Move] {
        let target = try folder.makeKept(trash)
        var moves: [Move] = []
        func keep(_ name: FileName, of source: Handle, as owned: FileName, in place: Move.Folder)
            throws
        {
            let hidden = try FileName(validating: ".\(RandomName.digits())")
            if try fileSystem.moveIfPresent(name, in: source, to: hidden, in: target) {
                moves.add(hidden, in: .init(kept: trash), to: owned, in: place)
            }
        }
        for removed in try parkedRemovals {
            try keep(removed.slot, of: removed.parent, as: removed.name, in: .init())
        }
        guard let assets = try folder.openFolder(folder.names.stem) else { return moves }
        for name in intent.removedFiles where !names.files.owns(name) {
            guard try fileSystem.status(of: name, in: assets)?.kind == .file else { continue }
            try keep(name, of: assets, as: name, in: .init(assets: folder.names.stem))
        }
        return moves
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
                "something in the folder \(name) was added or changed since",
                people: .init(
                    reason:
                        "something in the folder \(TextForPeople.quoted(name.string, or: "of an item")) "
                        + "was added or changed since"))
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
            let files = try intent.imports.flatMap(\.targets).compactMap { name in
                try fileSystem.status(of: name, in: assets).map { (name, FileState($0)) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }
}
