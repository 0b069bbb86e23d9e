import FileSystem

/// The folders whose events tell where an index is and when it changes.
///
/// The first is the folder of the index; if that does not exist, it is the nearest existing folder above it, in which
/// the next name on the path is missing. All folders above follow, because a system reports the move of a folder only
/// to those who watch that folder, not to those who watch one inside it.
struct WatchedPlace {
    /// Identifies a place.
    struct Key: Hashable {
        let names: Set<FileName>
        var folders: [FileIdentity]
    }

    private(set) var key: Key
    private var handles: [Handle]
    private let fileSystem: any FileSystem
    /// Whether the folder of the index does not exist, so that it can appear.
    private let isMissing: Bool

    /// The place of an index whose folder is open.
    init(_ folder: IndexFolder) throws {
        try self.init(
            folder.handle, for: [folder.names.index, folder.names.journal], on: folder.fileSystem,
            isMissing: false)
    }

    /// The place of an index whose folder is missing at `path`.
    ///
    /// - Throws: ``FileSystemError`` with `notSupported` if the path has a link to a missing file, because then the
    ///   next name can appear anywhere.
    init(missing path: String, on fileSystem: any FileSystem) throws {
        let (folder, missing) = try fileSystem.nearestFolder(to: path)
        let names = try missing.prefix(1).map { try FileName(validating: $0) }
        for name in names where try fileSystem.status(of: name, in: folder)?.kind == .symbolicLink {
            throw FileSystemError("watch", folder.path(of: name), .notSupported)
        }
        try self.init(folder, for: Set(names), on: fileSystem, isMissing: true)
    }

    private init(
        _ folder: Handle, for names: Set<FileName>, on fileSystem: any FileSystem, isMissing: Bool
    ) throws {
        self.fileSystem = fileSystem
        self.isMissing = isMissing
        let folders = try fileSystem.foldersUpwards(from: folder)
        handles = folders.map(\.folder)
        key = Key(names: names, folders: folders.map(\.identity))
    }

    /// Watches the folders; calls `changed`, with true if a folder has moved or appeared.
    ///
    /// - Throws: ``FileSystemError`` if one of them cannot be watched.
    func watch(_ changed: @escaping @Sendable (_ isMove: Bool) -> Void) throws -> [FolderWatch] {
        try zip(handles, [key.names] + key.folders.dropFirst().map { _ in [] }).compactMap {
            try fileSystem.watch($0, for: $1) { [isMissing] event in
                changed(isMissing || event == .folder)
            }
        }
    }
}
