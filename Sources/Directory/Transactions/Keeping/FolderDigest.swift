import FileSystem

/// A digest of the contents of a folder, by which an undo notices that others changed something in it.
///
/// Of an index it covers the lines, whether they are in the index or the journal, so a checkpoint changes nothing. Of
/// every other file it covers the path, the size and the modification date. It leaves out empty folders, indexes
/// without items, the hidden files of indexes, and the files of Finder.
struct FolderDigest: Hashable, Sendable {
    private var digest = 0

    /// The digest of an empty folder.
    init() {}

    /// The digest of `folder`.
    ///
    /// - Throws: ``Busy`` while an index in it is locked.
    init(of folder: Handle, _ store: IndexStore) throws {
        try add(folder, [], store)
    }
}

extension FolderDigest {
    private mutating func add(_ folder: Handle, _ path: [FileName], _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        let names = try fileSystem.unlessMissing { try fileSystem.list(folder) } ?? []
        for name in names {
            guard let stem = FileRole.lock.stem(of: name),
                let index = IndexNames(stem: stem, in: folder.url)
            else { continue }
            let changing = IndexFolder(store: store.ofUnknownType(index), handle: folder)
            if try changing.tryLock() == nil { throw Busy(error: changing.lockIsTaken) }
        }
        for name in names.filter({ !Self.isOfIndex($0) }).sorted(by: { $0.string < $1.string }) {
            guard let found = try fileSystem.status(of: name, in: folder) else { continue }
            if found.kind == .folder {
                if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                    try add(inner, path + [name], store)
                }
            } else if let stem = FileRole.index.stem(of: name),
                let index = IndexNames(stem: stem, in: folder.url),
                // A file that cannot be read as an index is compared like any other.
                let lines = try IndexFolder(store: store.ofUnknownType(index), handle: folder)
                    .untypedLines
            {
                for line in lines { add(path + [name], line) }
            } else {
                add(path + [name], FileState(found))
            }
        }
    }

    /// Whether `name` is that of a hidden file or folder of an index.
    private static func isOfIndex(_ name: FileName) -> Bool {
        let own: Set<FileName> = [
            IndexNames.staging, IndexNames.trash, IndexNames.removed, IndexNames.finder,
        ]
        let roles: [FileRole] = [.lock, .journal, .mark, .temporary]
        return own.contains(name) || roles.contains { $0.matches(name) }
    }

    private mutating func add(_ path: [FileName], _ value: some Hashable) {
        var next = Hasher()
        next.combine(digest)
        next.combine(path)
        next.combine(value)
        digest = next.finalize()
    }
}

/// The size and the modification date of a file, by which a later write is noticed.
struct FileState: Hashable, Sendable {
    let size: Int
    let modified: FileTime

    init(_ status: FileStatus) { (size, modified) = (status.size, status.modified) }
}
