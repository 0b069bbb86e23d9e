import FileSystem

/// A digest of what is in a folder, which tells an undo whether others have changed something in it.
///
/// Of an index it has the lines of its items, wherever they are written: a checkpoint changes nothing.
/// Of every other file it has the path, the size and the date of the last change. Empty folders and what is
/// hidden count for nothing, and so does an index without items: users see nothing of them.
struct FolderDigest: Hashable, Sendable {
    private var digest = 0

    /// That of a folder with nothing in it.
    init() {}

    /// That of `folder`; the lock of no index in it is needed.
    init(of folder: Handle, _ store: IndexStore) throws {
        try add(folder, [], store)
    }
}

extension FolderDigest {
    private mutating func add(_ folder: Handle, _ path: [FileName], _ store: IndexStore) throws {
        let fileSystem = store.fileSystem
        let names = try fileSystem.unlessMissing { try fileSystem.list(folder) } ?? []
        for name in names.filter({ !$0.isHidden }).sorted(by: { $0.string < $1.string }) {
            guard let found = try fileSystem.status(of: name, in: folder) else { continue }
            if found.kind == .folder {
                if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                    try add(inner, path + [name], store)
                }
            } else if IndexNames.isIndex(name),
                let index = try? IndexNames(name.string, in: folder.url),
                // What cannot be read as an index is compared as a file.
                let lines = IndexFolder(store: store.ofUnknownType(index), handle: folder)
                    .untypedLines
            {
                for line in lines { add(path + [name], line) }
            } else {
                add(path + [name], FileState(size: found.size, modified: found.modified))
            }
        }
    }

    private mutating func add(_ path: [FileName], _ value: some Hashable) {
        var next = Hasher()
        next.combine(digest)
        next.combine(path)
        next.combine(value)
        digest = next.finalize()
    }

    private struct FileState: Hashable {
        let size: Int
        let modified: FileTime
    }
}
