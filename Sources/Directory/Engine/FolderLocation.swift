import FileSystem
import Foundation

/// The location of a collection's folder: a path that the caller gave, or the folder of a
/// container.
///
/// It is looked up for each call, because this or another process can rename, move and remove
/// containers.
protocol FolderLocation: Hashable, Sendable {
    /// The URL of the folder according to the items in memory; reads no disk.
    var url: URL { get }
    /// Whether the location follows an item, so that its folder is found also after a rename.
    var followsItem: Bool { get }
    /// Whether the folder belongs to an item.
    var isContainer: Bool { get }
    /// Opens the folder; nil if it is missing.
    ///
    /// If `making`, a ``PathLocation`` first makes a missing folder; a ``ContainerLocation`` never
    /// does.
    func open(making: Bool) throws -> Handle?
    /// The status of the folder where it was last found; nil if it is missing.
    ///
    /// Takes no lock. A ``ContainerLocation`` opens the folders above it for that, and closes them.
    func status() throws -> FileStatus?
    /// Opens the folder if it and the folders above it have not moved since it was last found; takes no lock.
    func openIfUnmoved() throws -> Handle?
    /// Finds out again where the folder is.
    func refresh() throws
    /// Identifies the folder on its volume.
    func anchor() throws -> FolderAnchor
}

extension FolderLocation {
    /// Whether both are the same location.
    func isSame(as other: any FolderLocation) -> Bool { AnyHashable(self) == AnyHashable(other) }
}

/// Identifies a folder that may not exist yet: its nearest existing ancestor and the rest of the
/// path.
///
/// Two paths to one folder have equal anchors, however they are spelled.
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
    /// Symbolic links in the path are followed, except in the last component of a container's. New
    /// folders get the permissions and the protection of the options.
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

    func status() throws -> FileStatus? {
        try fileSystem.statusOfFolder(at: path, followingLink: !isContainer)
    }

    func openIfUnmoved() throws -> Handle? { try openExisting() }

    func refresh() {}

    func anchor() throws -> FolderAnchor {
        // A link that must not be followed is an error here, not a missing folder.
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
