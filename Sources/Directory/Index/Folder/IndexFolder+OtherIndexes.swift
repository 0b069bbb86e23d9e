import FileSystem

extension IndexFolder {
    /// The stems of the other visible indexes in the folder, folded.
    var otherStems: Set<String> {
        get throws {
            let others = try fileSystem.list(handle).filter { name in
                IndexNames.isIndex(name) && name != names.index
            }
            return Set(others.map { IndexNames.stem(of: $0).folded })
        }
    }

    /// The names in the folder, and the stems of all indexes and lock files in it, folded: no new
    /// container gets one of them.
    var takenNames: Set<String> {
        get throws {
            let names = try fileSystem.list(handle)
            let stems = names.compactMap { name in
                IndexNames.isIndex(name)
                    ? IndexNames.stem(of: name) : IndexNames.stem(ofLock: name)
            }
            return Set((names + stems).map(\.folded))
        }
    }

    /// Puts the indexes in the folder above on stable storage, one of which has the item that this
    /// folder belongs to.
    func syncIndexesAbove() throws {
        try unlessRefused {
            let parent = try fileSystem.openParent(of: handle)
            for name in try fileSystem.list(parent) where IndexNames.isIndex(name) {
                guard let names = try? IndexNames(name.string, in: parent.url),
                    try fileSystem.status(of: name, in: parent)?.kind == .file
                else { continue }
                let store = IndexStore(fileSystem: fileSystem, names: names, options: options)
                try unlessRefused { try IndexFolder(store: store, handle: parent).syncIndex() }
            }
        }
    }

    /// Calls `body`, which may open what this user may not: a sandbox keeps a process from what is
    /// above its own folder.
    private func unlessRefused(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FileSystemError
            where [.accessDenied, .notPermitted].contains(error.code)
        {}
    }

    /// Removes the folder of the assets if it is empty, and makes that durable.
    ///
    /// Without an index, its name would be taken: see ``checkThatStemIsFree()``.
    func removeAssetsFolderIfEmpty() throws {
        // Usually it is not empty.
        guard (try? fileSystem.removeFolder(names.stem, in: handle)) != nil else { return }
        try fileSystem.sync(handle)
    }

    /// Checks, once an item has the folder `name` and before that is committed, that no process is
    /// making an index with this stem.
    ///
    /// Such a process makes the lock file before it looks for the folder, so at least one of the two
    /// sees the other.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatNoIndexHas(stem name: FileName) throws {
        let lock = try FileName(validating: ".\(name).lock")
        guard try fileSystem.status(of: lock, in: handle) != nil else { return }
        throw DirectoryError(
            .nameTaken, "use", handle.url(of: name), "there is an index with this name")
    }

    /// Checks, before the first commit of an index, that the folder of its assets is its own.
    ///
    /// If there is another index in the folder, a container of that index may own it.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatStemIsFree() throws {
        guard try fileSystem.status(of: names.index, in: handle) == nil,
            try !otherStems.isEmpty
        else { return }
        let stem = names.stem.folded
        guard let taken = try fileSystem.list(handle).first(where: { $0.folded == stem }) else {
            return
        }
        throw DirectoryError(
            .nameTaken, "make the index \(names.index) beside", handle.url(of: taken),
            "an item of another index in this folder may own it")
    }
}
