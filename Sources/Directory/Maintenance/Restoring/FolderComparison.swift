import FileSystem

/// Compares the contents of two folders: the lines of indexes, whether they are in the index or the journal, and the
/// bytes of all other visible files.
struct FolderComparison {
    private let store: IndexStore
    private var fileSystem: any FileSystem { store.fileSystem }

    init(_ store: IndexStore) { self.store = store }

    /// Whether two folders have the same contents at any depth, except hidden files and empty folders.
    func areSame(_ left: Handle, _ right: Handle) throws -> Bool {
        let (leftNames, rightNames) = try (visible(in: left), visible(in: right))
        guard leftNames.map(\.name) == rightNames.map(\.name) else { return false }
        for (entry, other) in zip(leftNames, rightNames) {
            guard entry.kind == other.kind else { return false }
            switch entry.kind {
            case .folder:
                guard let inner = try fileSystem.openFolderIfPresent(entry.name, in: left),
                    let otherInner = try fileSystem.openFolderIfPresent(entry.name, in: right),
                    try areSame(inner, otherInner)
                else { return false }
            case .file: if try !areSame(entry.name, left, right) { return false }
            case .symbolicLink, .other: return false
            }
        }
        return true
    }

    /// Whether the files called `name` in two folders are the same.
    func areSame(_ name: FileName, _ left: Handle, _ right: Handle) throws -> Bool {
        if FileRole.index.matches(name) {
            let indexes = try [left, right].map { folder in
                let names = try IndexNames(name.string, in: folder.url)
                return IndexFolder(store: store.ofUnknownType(names), handle: folder)
            }
            let lines = try indexes.map { try $0.untypedLines }
            if let mine = lines[0], let theirs = lines[1] { return mine == theirs }
            // With a journal, the bytes of the index are not all.
            let haveJournal = try indexes.contains { index in
                try fileSystem.status(of: index.names.journal, in: index.handle) != nil
            }
            if haveJournal { return false }
        }
        guard let status = try fileSystem.status(of: name, in: left),
            let other = try fileSystem.status(of: name, in: right),
            status.kind == .file, other.kind == .file, status.size == other.size
        else { return false }
        let files = try [left, right].map { try fileSystem.openFile(name, in: $0, for: .read) }
        let step = 1 << 18
        for offset in stride(from: 0, to: status.size, by: step) {
            let parts = try files.map { try fileSystem.read($0, at: offset, count: step) }
            if parts[0] != parts[1] { return false }
        }
        return true
    }

    private func visible(in folder: Handle) throws -> [(name: FileName, kind: FileStatus.Kind)] {
        let names = try fileSystem.unlessMissing { try fileSystem.list(folder) } ?? []
        return try names.filter { !$0.isHidden }.sorted { $0.string < $1.string }
            .compactMap { name in
                guard let found = try fileSystem.status(of: name, in: folder) else { return nil }
                if found.kind == .folder,
                    let inner = try fileSystem.openFolderIfPresent(name, in: folder),
                    try visible(in: inner).isEmpty
                {
                    return nil
                }
                return (name, found.kind)
            }
    }
}
