package import FileSystem
public import Foundation

/// A file store in a folder on disk.
///
///     let thumbnails = DiskFileStore(directory: .caches, namespace: "com.example.thumbnails")
///     try await thumbnails.save(jpeg, to: "42.jpg")
///
/// Each namespace is a folder of its own, so stores cannot see each other's files. Creating a
/// store touches no disk; the folder is made when the first file is. Any number of stores may
/// use one folder at once, also from several processes.
///
/// On Linux, and on macOS outside the sandbox, all programs of the user share the places that a
/// store can be in, so give the namespace a name that no other program uses.
///
/// Files are made with the permissions 0600 and folders with 0700, whatever the umask says, and
/// on iOS, tvOS, watchOS and visionOS with the class of data protection that the store was given.
/// A folder that is there already gets them when the store first writes into it, unless the class
/// is `.none`: choose that for a folder that is not the store's alone, such as one to export into.
public struct DiskFileStore: FileStoring, FolderStoring {
    let folder: StoreFolder

    /// A place in the user's domain that a store's folder can be in.
    public enum BaseDirectory: Sendable, Hashable {
        /// Files that the user made: backed up, never purged by the system.
        case documents
        /// Files that the app manages: backed up, never purged by the system.
        case applicationSupport
        /// Files that can be made again: not backed up, and purged when space runs low.
        case caches
    }

    /// Creates a store in a folder of its own inside `directory`.
    ///
    /// - Parameters:
    ///   - directory: Where the folder is; on Linux where the XDG folders are.
    ///   - namespace: The folder's name, one valid file name. With any other, every call throws
    ///     `invalidPath`.
    ///   - fileProtection: When the files can be read, on systems with data protection.
    public init(
        directory: BaseDirectory, namespace: String,
        fileProtection: FileProtectionType = .completeUntilFirstUserAuthentication
    ) {
        folder = StoreFolder(
            namespace, in: directory.url, on: LocalFileSystem(),
            protection: DataProtection(fileProtection))
    }

    /// Creates a store that is the folder at `url`, such as one in an app group's container.
    ///
    /// - Parameters:
    ///   - url: The folder, in one that this user can open. Links above it are followed; it may
    ///     not be one itself.
    ///   - fileProtection: When the files can be read, on systems with data protection.
    public init(
        at url: URL,
        fileProtection: FileProtectionType = .completeUntilFirstUserAuthentication
    ) {
        self.init(at: url, fileProtection: fileProtection, on: LocalFileSystem())
    }

    /// Creates a store that is the folder at `url` of `fileSystem`.
    package init(
        at url: URL,
        fileProtection: FileProtectionType = .completeUntilFirstUserAuthentication,
        on fileSystem: any FileSystem
    ) {
        folder = StoreFolder(
            url.lastPathComponent, in: url.deletingLastPathComponent(), on: fileSystem,
            protection: DataProtection(fileProtection))
    }
}

extension DiskFileStore.BaseDirectory {
    fileprivate var url: URL {
        let (place, path): (FileManager.SearchPathDirectory, String) =
            switch self {
            case .documents: (.documentDirectory, "Documents")
            case .applicationSupport: (.applicationSupportDirectory, "Library/Application Support")
            case .caches: (.cachesDirectory, "Library/Caches")
            }
        // Foundation always knows these places; the array is what its signature says.
        return FileManager.default.urls(for: place, in: .userDomainMask).first
            ?? URL.homeDirectory.appending(path: path, directoryHint: .isDirectory)
    }
}

extension DataProtection {
    /// The class that `type` names; the strictest for classes newer than this library.
    fileprivate init(_ type: FileProtectionType) {
        self =
            switch type.rawValue {
            case FileProtectionType.none.rawValue: .none
            case FileProtectionType.completeUnlessOpen.rawValue: .completeUnlessOpen
            case FileProtectionType.completeUntilFirstUserAuthentication.rawValue:
                .completeUntilFirstUserAuthentication
            default: .complete
            }
    }
}
