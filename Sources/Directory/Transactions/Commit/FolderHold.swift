import FileSystem

/// Keeps in place the folders that lead from one collection of a write to another one.
///
/// The records of a write to several collections have relative paths. Only a call that has locked an index moves the
/// folders of its items. A write has locked each index on the way to a collection inside its items. If the other
/// collection is elsewhere, as in a transfer, this value has shared locks of the indexes above both, up to the folder
/// that both are in. Nothing waits for one of these locks: if one is taken, the write releases all of its locks.
struct FolderHold {
    /// The lock files of the write itself.
    private let own: Set<FileIdentity>
    private var locks: [FileIdentity: Handle] = [:]
    /// The ways to the root that were found for each second collection, by its folder.
    private var known: [FileIdentity: [[FileIdentity]]] = [:]

    init(of own: Set<FileIdentity>) { self.own = own }
}

extension FolderHold {
    /// Keeps the folders between those of `home` and of `other` in place; can be called again, to lock new lock files.
    ///
    /// - Throws: ``Busy`` while one of the indexes that can move them is in use, or if one has moved just now.
    mutating func keepInPlace(between home: IndexFolder, and other: IndexFolder) throws {
        let ways = try self.ways(home, other)
        let shared = Set(ways[0].map(\.identity)).intersection(ways[1].map(\.identity))
        let count = locks.count
        var parents: Set<FileIdentity> = []
        for way in ways {
            for (folder, parent) in zip(way, way.dropFirst())
            where !shared.contains(folder.identity) && parents.insert(parent.identity).inserted {
                try lockIndexes(in: parent.folder, home)
            }
        }
        // Before a lock was taken, its holder may have moved a folder.
        let now = locks.count > count ? try self.ways(home, other) : ways
        let found = now.map { $0.map(\.identity) }
        let before = known.updateValue(found, forKey: found[1][0])
        guard found == ways.map({ $0.map(\.identity) }), before == nil || before == found else {
            throw home.folderHasMoved
        }
    }

    /// The folders from those of both collections up to the root.
    private func ways(_ home: IndexFolder, _ other: IndexFolder) throws -> [[(
        folder: Handle, identity: FileIdentity
    )]] {
        try [home, other].map { try $0.fileSystem.foldersUpwards(from: $0.handle) }
    }

    /// Locks the indexes in `folder`, one of which can own a folder on the way.
    private mutating func lockIndexes(in folder: Handle, _ home: IndexFolder) throws {
        let fileSystem = home.fileSystem
        let names = try fileSystem.unlessRefused { Set(try fileSystem.list(folder)) } ?? []
        for name in names {
            // A lock file without an index can be that of any program.
            guard let stem = FileRole.lock.stem(of: name),
                let index = IndexNames(stem: stem, in: folder.url), names.contains(index.index),
                let file = try fileSystem.unlessRefused({
                    try fileSystem.openFileIfPresent(name, in: folder, for: .read)
                }) ?? nil
            else { continue }
            let identity = try fileSystem.status(of: file).identity
            if own.contains(identity) || locks[identity] != nil { continue }
            guard try fileSystem.tryLock(file, shared: true),
                try fileSystem.status(of: name, in: folder)?.identity == identity
            else {
                throw Busy(
                    error: IndexFolder(store: home.store.ofUnknownType(index), handle: folder)
                        .lockIsTaken)
            }
            locks[identity] = file
        }
    }
}
