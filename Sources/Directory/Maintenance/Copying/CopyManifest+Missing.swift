import FileSystem
import Foundation

extension CopyManifest {
    /// Finds files that the copy in `folder` had when it was made and lacks now, and indexes that cannot be read.
    ///
    /// The types of the items need not be known. An index that was written since may have removed files, so only files
    /// and folders of unchanged indexes are reported. Recovery may have moved the files of transactions, so these are
    /// reported only if nobody has locked an index beside them.
    func missing(in folder: IndexFolder) throws -> [Finding] {
        var found: [Finding] = []
        var unchanged: [FolderPath: Set<FileName>] = [:]
        var unchangedFolders: Set<FolderPath> = []
        // A parent comes before the folders in it.
        for recorded in folders {
            guard let path = recorded.names else { continue }
            let owners = path.isEmpty ? [] : unchanged[path.dropLast()] ?? []
            guard let copy = try folder.fileSystem.openFolder(path, in: folder.handle) else {
                if try isMissed(path, owners, in: folder) {
                    let url = folder.url.appending(path: recorded.path)
                    found.append(Self.isMissing(url, .missingAsset))
                }
                continue
            }
            let index = IndexFolder(store: folder.store, handle: copy)
            unchanged[path] = try recorded.unchangedIndexes(in: index)
            found += try recorded.damagedIndexes(in: index)
            found += try recorded.missingJournals(in: index)
            let stem = isOfAssets(path) ? path.last : nil
            let isUnchanged =
                if let stem {
                    owners.contains { $0.isIndex(of: stem) }
                } else if isOfTransaction(path) {
                    try !wasRecovered(path, in: folder)
                } else if let indexes = recorded.indexes, !indexes.isEmpty {
                    Set(indexes) == unchanged[path]
                } else {
                    unchangedFolders.contains(path.dropLast())
                }
            guard isUnchanged else { continue }
            unchangedFolders.insert(path)
            for file in recorded.files where !recorded.isOfIndex(file.name) {
                let size = try index.fileSystem.status(of: file.name, in: copy)?.size
                if stem != nil ? size != file.size : size == nil {
                    found.append(Self.isMissing(copy.url(of: file.name), .missingAsset))
                }
            }
        }
        return found
    }

    /// Whether a folder that is not there was not removed by a change of one of the `unchanged` indexes beside it.
    private func isMissed(
        _ path: FolderPath, _ unchanged: Set<FileName>, in folder: IndexFolder
    ) throws -> Bool {
        if isOfTransaction(path) { return try !wasRecovered(path, in: folder) }
        guard let name = path.last, !unchanged.isEmpty else { return false }
        return isOfItems(name, unchanged, path)
    }

    /// Whether the folder at `path` has the assets of an index that the copy had beside it.
    private func isOfAssets(_ path: FolderPath) -> Bool {
        guard let stem = path.last else { return false }
        let parent = folders.first { $0.names == path.dropLast() }
        return parent?.indexes?.contains { $0.isIndex(of: stem) } == true
    }

    /// Whether the folder at `path` is that of a transaction, or inside one.
    private func isOfTransaction(_ path: FolderPath) -> Bool { path.contains(IndexNames.staging) }

    /// Whether a process may have ended the transaction whose folder is at `path`: it had a lock then.
    private func wasRecovered(_ path: FolderPath, in folder: IndexFolder) throws -> Bool {
        let above = path.prefix { $0 != IndexNames.staging }
        guard let above = try folder.fileSystem.openFolder(Array(above), in: folder.handle) else {
            return false
        }
        return try folder.fileSystem.list(above).contains(where: FileRole.lock.matches)
    }

    /// Whether `name` is the folder of the assets of one of the unchanged indexes, or can be that of an item.
    private func isOfItems(_ name: FileName, _ unchanged: Set<FileName>, _ path: FolderPath) -> Bool
    {
        if name.isHidden { return false }
        if unchanged.contains(where: { $0.isIndex(of: name) }) { return true }
        // An index that was written since may have removed the folder.
        let parent = folders.first { $0.names == path.dropLast() }
        return Set(parent?.indexes ?? []) == unchanged
    }

    fileprivate static func isMissing(_ url: URL, _ kind: Finding.Kind) -> Finding {
        Finding(kind, url, "it was in the copy when that was made")
    }
}

extension CopyManifest.Folder {
    /// The indexes that were not written to since the copy was made.
    fileprivate func unchangedIndexes(in folder: IndexFolder) throws -> Set<FileName> {
        Set(
            try (indexes ?? []).filter { name in
                guard let names = try? IndexNames(name.string, in: folder.url) else { return false }
                return try isUnchanged(name, in: folder) && isUnchanged(names.journal, in: folder)
            })
    }

    /// Whether the file called `name` has not been written to since; also if there was none, and is none.
    private func isUnchanged(_ name: FileName, in folder: IndexFolder) throws -> Bool {
        let recorded = files.first { $0.name == name }
        let found = try folder.fileSystem.status(of: name, in: folder.handle)
        return recorded?.size == found?.size
            && recorded?.modified == found?.modified.nanosecondsSince1970
    }

    /// Whether `name` is that of an index here, or of its journal.
    fileprivate func isOfIndex(_ name: FileName) -> Bool {
        indexes?.contains(name) == true || FileRole.journal.matches(name)
    }

    /// The journals that are missing although their indexes were not written to since.
    fileprivate func missingJournals(in folder: IndexFolder) throws -> [Finding] {
        try files.compactMap { file in
            guard let stem = FileRole.journal.stem(of: file.name),
                try folder.fileSystem.status(of: file.name, in: folder.handle) == nil,
                let index = files.first(where: { $0.name.isIndex(of: stem) }),
                try isUnchanged(index.name, in: folder)
            else { return nil }
            return CopyManifest.isMissing(folder.handle.url(of: file.name), .damagedIndex)
        }
    }

    /// The indexes that are missing or cannot be read.
    fileprivate func damagedIndexes(in folder: IndexFolder) throws -> [Finding] {
        try (indexes ?? []).compactMap { name in
            guard files.contains(where: { $0.name == name }),
                let names = try? IndexNames(name.string, in: folder.url)
            else { return nil }
            let url = folder.handle.url(of: name)
            guard try folder.fileSystem.status(of: name, in: folder.handle) != nil else {
                return CopyManifest.isMissing(url, .damagedIndex)
            }
            let index = IndexFolder(store: folder.store.ofUnknownType(names), handle: folder.handle)
            if try index.untypedLines != nil { return nil }
            return Finding(.damagedIndex, url, "the index of a collection cannot be read")
        }
    }
}

extension FileName {
    /// Whether this is the name of the index whose assets are in the folder `stem`, also on a volume that does not keep
    /// names as they were written.
    fileprivate func isIndex(of stem: FileName) -> Bool {
        FileRole.index.stem(of: self)?.folded == stem.folded
    }
}
