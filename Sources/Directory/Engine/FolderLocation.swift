import FileSystem
import Foundation

/// Where the folder of a collection is now: at a path that the caller gave, or that of a container.
///
/// A location is looked up for each call, because containers can be renamed, moved and removed,
/// also by other processes. So no folder stays open between calls.
protocol FolderLocation: Hashable, Sendable {
    /// Where the folder is according to the items in memory; reads no disk.
    var url: URL { get }
    /// Whether the folder is that of an item, which is found also after a rename.
    var followsItem: Bool { get }
    /// Whether the folder is that of an item.
    var isContainer: Bool { get }
    /// Opens the folder; nil if it is missing.
    ///
    /// If `making`, a ``PathLocation`` first makes a missing folder; a ``ContainerLocation`` never
    /// does.
    func open(making: Bool) throws -> Handle?
    /// Opens the folder if no folder on the way to it has moved since it was last found; takes no lock.
    func openIfUnmoved() throws -> Handle?
    /// Finds out again where the folder is.
    func refresh() throws
    /// Identifies the folder on its volume.
    func anchor() throws -> FolderAnchor
}

extension FolderLocation {
    /// Whether both lead to the same folder, wherever that is.
    func isSame(as other: any FolderLocation) -> Bool { AnyHashable(self) == AnyHashable(other) }
}

/// Identifies a folder that may not exist yet: its nearest existing ancestor and the rest of the
/// path.
///
/// All paths to one folder have this in common, however they are spelled.
struct FolderAnchor: Hashable, Sendable {
    let folder: FileIdentity
    var missingPath: [String] = []
}

/// A folder at a path.
struct PathLocation: FolderLocation {
    let url: URL
    private let path: String
    private let fileSystem: any FileSystem
    private let options: DirectoryOptions
    let isContainer: Bool

    /// Creates the location of the folder at `url`.
    ///
    /// Symbolic links in the path are followed, except in the last component of a container's.
    /// Folders that are made get what the options say.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation`.
    init(
        _ url: URL, on fileSystem: any FileSystem, options: DirectoryOptions, isContainer: Bool
    ) throws {
        path = url.path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DirectoryError.noFolder("use", url)
        }
        self.url = url
        self.fileSystem = fileSystem
        self.options = options
        self.isContainer = isContainer
    }

    var followsItem: Bool { false }

    func open(making: Bool) throws -> Handle? {
        if let folder = try openExisting() { return folder }
        guard making else { return nil }
        return try fileSystem.openOrMakeFolder(
            at: path, mode: options.folderPermissions, as: options.protection)
    }

    func openIfUnmoved() throws -> Handle? { try openExisting() }

    func refresh() {}

    func anchor() throws -> FolderAnchor {
        // A link that is not to be followed is an error, and not a missing folder.
        _ = try openExisting()
        let (folder, missing) = try fileSystem.nearestFolder(to: path)
        return FolderAnchor(
            folder: try fileSystem.status(of: folder).identity, missingPath: missing)
    }

    private func openExisting() throws -> Handle? {
        try fileSystem.unlessMissing {
            guard isContainer, let name = FileName(url.lastPathComponent) else {
                return try fileSystem.openFolder(at: path)
            }
            return try fileSystem.openFolder(name, in: fileSystem.openParent(of: url))
        }
    }
}

extension PathLocation {
    static func == (left: Self, right: Self) -> Bool { left.path == right.path }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
