import FileSystem

/// The checks of an index that need no type of items, made without recovery and without the lock.
extension Verification {
    /// Creates a verification of the index in `folder`, which has `elements`.
    init(
        _ elements: UntypedElements, in folder: IndexFolder, live: Set<FileName>, isContainer: Bool
    ) {
        self.init(
            snapshot: Snapshot(Elements(), damaged: elements.damaged, names: LazyNames()),
            reader: folder.lineReader, folder: folder, live: live,
            isContainer: isContainer, isRecovered: false)
    }

    /// All findings, except those about the ownership of files and folders.
    ///
    /// If `ownFiles`, items own files, and nothing but visible files belongs in the assets folder. Otherwise that
    /// folder may be one of the app's own, and only links and special files are findings.
    func untypedResults(ownFiles: Bool) throws -> [Result] {
        try damagedLines + strayAssets(ownFiles: ownFiles) + unknownFiles() + syncing()
            + leftovers() + temporaryFiles() + wrongKinds()
    }

    private func strayAssets(ownFiles: Bool) throws -> [Result] {
        // A link or a file in place of a folder is a finding of its own.
        let folders = try folder.names.assetsNames.filter {
            try fileSystem.status(of: $0, in: folder.handle)?.kind == .folder
        }
        return try assets(in: folder.assetsFolders(folders)).filter { asset in
            !asset.isFile && (ownFiles || [.symbolicLink, .other].contains(asset.status.kind))
        }.map(stray)
    }

    /// Entries with the name of a file or folder of the library that are something else.
    private func wrongKinds() throws -> [Result] {
        let names = folder.names
        let files = [(names.index, "index"), (names.journal, "journal"), (names.lock, "lock file")]
        let folders = [IndexNames.staging, IndexNames.trash].map {
            ($0, "folder of changes that are not finished")
        }
        let expected =
            files.map { ($0, $1, FileStatus.Kind.file) } + folders.map { ($0, $1, .folder) }
        return try expected.compactMap { name, what, kind in
            guard let found = try fileSystem.status(of: name, in: folder.handle), found.kind != kind
            else { return nil }
            return result(
                .unknownFile, folder.handle.url(of: name),
                "\(found.kind.inWords) is where the \(what) should be", .undecided)
        }
    }
}
