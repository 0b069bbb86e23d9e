import FileSystem

/// The indexes, files and folders in a folder that belong in its copy.
struct FolderContents {
    typealias Path = FolderPath

    /// The indexes in the folder.
    var indexes: [IndexFolder] = []
    /// The files, by the paths of their folders.
    var files: [Path: [FileName: FileStatus]] = [[]: [:]]
    /// The folders that may have indexes of their own.
    var subfolders: Set<Path> = []
    /// The writes to several collections that are not ended.
    var jointWrites: Set<String> = []
}

extension FolderContents {
    /// Leaves out staged files that are also in the folders `assets`.
    ///
    /// A power loss can leave a file under the names that it had before and after a move. In a copy these would be two
    /// files, and recovery would keep both.
    fileprivate mutating func removeSecondNames(_ assets: Set<FileName>) {
        let staged = files.keys.filter { $0.first == IndexNames.staging }
        if staged.isEmpty { return }
        let moved = Set(assets.flatMap { (files[[$0]] ?? [:]).values.map(\.identity) })
        for path in staged {
            files[path] = files[path]?.filter { !moved.contains($0.value.identity) }
        }
    }
}

/// The collection that is copied; nothing else in its folder belongs in the copy.
struct CopiedCollection {
    let names: IndexNames
    /// Tells which folders the items own, by the index that is on disk now.
    let owned: () throws -> (FileName) -> Bool
}

/// Lists the contents of folders that belong in a copy.
struct FolderReader {
    let store: IndexStore
    private var fileSystem: any FileSystem { store.fileSystem }
}

extension FolderReader {
    /// The names of the indexes in `folder`; if `collection` is given, only those of its index.
    ///
    /// A lock file without an index counts too: the index can come soon.
    func indexNames(in folder: Handle, _ collection: CopiedCollection?) throws -> Set<IndexNames> {
        if let collection { return [collection.names] }
        return Set(
            ConflictCopies.removed(from: try fileSystem.list(folder)).compactMap { name in
                let stem = FileRole.index.stem(of: name) ?? FileRole.lock.stem(of: name)
                return stem.flatMap { IndexNames(stem: $0, in: folder.url) }
            })
    }

    /// The contents of `folder` that belong in its copy: those of `collection`, or all visible ones if it is nil, and
    /// the files that transactions moved.
    func contents(of folder: Handle, _ collection: CopiedCollection?) throws -> FolderContents {
        var contents = FolderContents()
        contents.indexes = try indexNames(in: folder, collection).map { index($0, in: folder) }
        let renamed = try addTransactions(of: folder, to: &contents)
        let assets = Set(contents.indexes.flatMap(\.names.assetsNames))
        let indexes = Set(contents.indexes.map(\.names.index))
        let owned = try collection?.owned() ?? { _ in true }
        for name in try fileSystem.list(folder) where !name.isHidden {
            let isPart = assets.contains(name) || renamed.contains(name) || owned(name)
            guard isPart || indexes.contains(name),
                let found = try fileSystem.status(of: name, in: folder)
            else { continue }
            switch found.kind {
            case .folder where assets.contains(name):
                try add([name], of: folder, to: &contents) { !$0.isHidden }
            case .folder:
                // The folder of an item that is not committed would lose its mark in the copy.
                if try contents.indexes.allSatisfy({ try !$0.isMarkedFolder(name) }) {
                    contents.subfolders.insert([name])
                }
            case .file where collection == nil || indexes.contains(name):
                contents.files[[], default: [:]][name] = found
            case .file, .symbolicLink, .other: break
            }
        }
        contents.removeSecondNames(assets)
        return contents
    }

    /// The size of all files that a copy of `folder` would have now, without journals.
    func byteCount(of folder: Handle, _ collection: CopiedCollection?) throws -> Int {
        let contents = try contents(of: folder, collection)
        let here = contents.files.values.joined().reduce(0) { $0 + $1.value.size }
        return try contents.subfolders.reduce(here) { sum, path in
            guard let inner = try fileSystem.openFolder(path, in: folder) else { return sum }
            return try sum + byteCount(of: inner, nil)
        }
    }

    func index(_ names: IndexNames, in folder: Handle) -> IndexFolder {
        IndexFolder(store: store.ofUnknownType(names), handle: folder)
    }
}

extension FolderReader {
    /// Adds the files of transactions that are not cleaned up yet; when the copy is opened, they are reconciled with
    /// its index.
    ///
    /// Stages without an intent are left out, unless they belong to an unfinished part, and so are files that were removed
    /// for good.
    ///
    /// - Returns: The names that the moved folders have before or after these transactions.
    private func addTransactions(of folder: Handle, to contents: inout FolderContents) throws
        -> Set<FileName>
    {
        var renamed: Set<FileName> = []
        for index in contents.indexes {
            let part = try index.jointPart
            if let part { contents.jointWrites.insert(part.number) }
            // What the write of the part moves can be there without an intent. Once it has ended in the copy, the owner file
            // says that nobody uses the rest.
            let waiting = try part.map { try index.names.transactionFolder($0.number) }
            for name in try index.transactionFolders.names {
                // A transaction of another version is copied as it is.
                let isCopied = try name == waiting || index.hasUnknownIntent(name)
                guard let intent = try index.intent(of: name) ?? (isCopied ? Intent() : nil) else {
                    continue
                }
                renamed.formUnion(intent.folderNames)
                try add([IndexNames.staging, name], of: folder, to: &contents) {
                    (name == waiting || !StageOwner.isOwner($0)) && !Transaction.isRemoved($0)
                }
            }
        }
        return renamed
    }

    /// Adds the files and folders in the folder at `path` whose names are `wanted`.
    private func add(
        _ path: FolderContents.Path, of folder: Handle, to contents: inout FolderContents,
        where wanted: (FileName) -> Bool
    ) throws {
        guard let inner = try fileSystem.openFolder(path, in: folder) else { return }
        var files: [FileName: FileStatus] = [:]
        for name in try fileSystem.unlessMissing({ try fileSystem.list(inner) }) ?? []
        where wanted(name) {
            guard let found = try fileSystem.status(of: name, in: inner) else { continue }
            switch found.kind {
            case .file: files[name] = found
            case .folder: contents.subfolders.insert(path + [name])
            case .symbolicLink, .other: break
            }
        }
        contents.files[path] = files
    }
}
