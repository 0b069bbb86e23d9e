import FileSystem

/// The other indexes in the folder of an index, when it was listed.
struct OtherIndexes {
    /// The stems of those that are visible, folded.
    var stems: Set<String> = []
    /// Whether there may be one: an index, or a lock file.
    var mayBeThere = false
    /// All that have an index, a journal or a lock file there.
    var names: [IndexNames] = []

    /// Whether nothing shows another index.
    var isEmpty: Bool { !mayBeThere && names.isEmpty }

    init() {}

    /// `entries` are the names of all files and folders there.
    init(in entries: [FileName], of folder: IndexFolder) {
        let own = folder.names
        // Most names in a large folder are those of containers.
        let files = entries.filter { $0.isHidden || FileRole.index.matches($0) }
        let visible = ConflictCopies.removed(from: files, among: entries)
        stems = Set(
            visible.filter { $0 != own.index }.compactMap { FileRole.index.stem(of: $0)?.folded })
        mayBeThere =
            !stems.isEmpty
            || visible.contains { $0 != own.lock && FileRole.lock.matches($0) }
        let others = files.compactMap { file in
            [FileRole.index, .lock, .journal].lazy.compactMap { $0.stem(of: file) }.first
        }
        names = Set(others).filter { $0 != own.stem }.compactMap {
            IndexNames(stem: $0, in: folder.url)
        }
    }
}

extension IndexFolder {
    /// The other indexes in the folder, from one listing.
    var otherIndexes: OtherIndexes {
        get throws { OtherIndexes(in: try fileSystem.list(handle), of: self) }
    }

    /// The stems of the other visible indexes in the folder, folded.
    var otherStems: Set<String> { get throws { try otherIndexes.stems } }

    /// Whether another index may be in the folder.
    ///
    /// The first files of an index come before the index, but after its lock file.
    var isShared: Bool { get throws { try otherIndexes.mayBeThere } }

    /// The names in the folder, and the stems of all indexes and lock files in it, folded: no new
    /// container gets one of them.
    var takenNames: Set<String> {
        get throws {
            let names = try fileSystem.list(handle)
            let stems = names.compactMap { name in
                FileRole.index.stem(of: name) ?? FileRole.lock.stem(of: name)
            }
            return Set((names + stems).map(\.folded))
        }
    }

    /// Syncs the indexes in the folder above, one of which has the item that this folder belongs to.
    func syncIndexesAbove() throws {
        // A sandbox does not let a process open all folders above its own.
        try fileSystem.unlessRefused {
            let parent = try fileSystem.openParent(of: handle)
            for name in ConflictCopies.removed(from: try fileSystem.list(parent))
            where FileRole.index.matches(name) {
                guard let names = try? IndexNames(name.string, in: parent.url),
                    try fileSystem.status(of: name, in: parent)?.kind == .file
                else { continue }
                let store = IndexStore(fileSystem: fileSystem, names: names, options: options)
                try fileSystem.unlessRefused {
                    try IndexFolder(store: store, handle: parent).syncIndex()
                }
            }
        }
    }

    /// Removes the folder of the assets if it is empty, and makes that durable.
    ///
    /// Without an index, the folder would block its name: see ``checkThatStemIsFree()``.
    func removeAssetsFolderIfEmpty() throws {
        // Usually it is not empty.
        guard (try? fileSystem.removeFolder(names.stem, in: handle)) != nil else { return }
        try fileSystem.sync(handle)
    }

    /// Checks before the commit, when folders with `names` exist, that no other index needs one of the names.
    ///
    /// A process that makes an index makes the lock file before it looks for the assets folder. A process that moves a
    /// folder writes its name into an intent before that. So at least one of the two sees the other.
    ///
    /// `others` were there when the names were chosen. An index that came later had no items then, and so no folders.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatNoOtherIndexNeeds(_ names: [FileName], others: OtherIndexes) throws {
        try checkThatNoTransactionMoves(names, others: others)
        for name in names {
            let files = try [FileRole.lock, .index].map { try $0.name(name) }
            guard try files.allSatisfy({ try fileSystem.status(of: $0, in: handle) == nil }) else {
                throw DirectoryError(
                    .nameTaken, "use", handle.url(of: name), "there is an index with this name",
                    people: .init(
                        operation: "use the name", reason: "another collection in the folder has it"
                    ))
            }
        }
    }

    /// Checks that no unfinished transaction of another index, or also of this one if `orOwn`, moves a folder with one
    /// of `names`.
    ///
    /// Such a folder may be elsewhere now, and be moved back.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatNoTransactionMoves(
        _ names: [FileName], others: OtherIndexes, orOwn: Bool = false
    ) throws {
        if names.isEmpty { return }
        let moving = try namesInMotion(others, orOwn: orOwn)
        guard let name = names.first(where: { moving.contains($0.folded) }) else { return }
        throw DirectoryError(
            .nameTaken, "use", handle.url(of: name),
            "an unfinished change of a collection in this folder moves a file or folder with this name",
            remedy: "Choose another name, or try again when that change is finished.",
            people: .init(
                operation: "use the name", reason: "another change that needs it is not finished"))
    }

    /// The names of the folders, folded, that unfinished transactions of other indexes move.
    private func namesInMotion(_ others: OtherIndexes, orOwn: Bool) throws -> Set<String> {
        var found: Set<String> = []
        for other in others.names + (orOwn ? [names] : []) {
            let index = IndexFolder(store: store.ofUnknownType(other), handle: handle)
            found.formUnion(try index.jointPart?.movedNames.map(\.folded) ?? [])
        }
        guard try fileSystem.status(of: IndexNames.staging, in: handle) != nil,
            let staging = try openFolder(IndexNames.staging)
        else { return found }
        for name in try fileSystem.unlessMissing({ try fileSystem.list(staging) }) ?? []
        where IndexNames(ofTransaction: name, in: url) != nil
            && (orOwn || !names.isTransactionFolder(name))
        {
            guard let intent = try intent(of: name) else { continue }
            found.formUnion(intent.folderNames.map(\.folded))
        }
        return found
    }

    /// Checks, before the first commit of an index, that the folder of its assets is its own.
    ///
    /// If there is another index in the folder, a container of that index may own it.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatStemIsFree() throws {
        guard try fileSystem.status(of: names.index, in: handle) == nil else { return }
        let others = try otherIndexes
        if others.stems.isEmpty { return }
        let stem = names.stem.folded
        try checkThatNoTransactionMoves([names.stem], others: others)
        guard let taken = try fileSystem.list(handle).first(where: { $0.folded == stem }) else {
            return
        }
        throw DirectoryError(
            .nameTaken, "make the index \(names.index) beside", handle.url(of: taken),
            "an item of another index in this folder may own it",
            people: .init(
                operation: "use the name",
                reason: "it may belong to an item of another collection in the folder"))
    }
}
