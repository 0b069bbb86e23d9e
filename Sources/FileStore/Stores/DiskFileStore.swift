package import FileSystem
public import Foundation

/// A file store in a folder on disk.
///
///     let thumbnails = DiskFileStore(directory: .caches, namespace: "com.example.thumbnails")
///     try await thumbnails.save(jpeg, to: "42.jpg")
///
/// Each namespace is a folder of its own, so stores cannot see each other's files. Creating a
/// store does not touch the disk; the folder is made with the first file. Any number of stores
/// can use one folder at once, also from several processes.
///
/// On Linux, and on macOS outside the sandbox, all programs of the user share the base
/// directories, so give the namespace a name that no other program uses.
///
/// Files have the permissions 0600 and folders 0700, regardless of the umask, and on iOS, tvOS and
/// visionOS the store's class of data protection. An existing folder gets them when the store
/// first writes into it, unless the class is `.none`. Choose `.none` for a folder that is not the
/// store's alone, such as one to export into.
///
/// A copy of a file on the same volume shares its bytes if the volume can do that, as APFS can. On
/// Apple it then has the extended attributes of its source too, such as its quarantine. A file must be
/// readable to be copied. To be moved, the folder that holds it must be readable as well.
public struct DiskFileStore: FileStoring, FolderStoring {
    let folder: StoreFolder

    /// A folder of the user that a store's folder can be in.
    public enum BaseDirectory: Sendable, Hashable {
        /// Files that the user made: backed up, and never purged by the system.
        case documents
        /// Files that the app manages: backed up, and never purged by the system.
        case applicationSupport
        /// Files that can be made again: not backed up, and purged if the system needs space.
        case caches
    }

    /// Creates a store in a folder of its own inside `directory`.
    ///
    /// - Parameters:
    ///   - directory: The folder that holds the store's folder; on Linux an XDG folder,
    ///     in `$HOME` or, if that is not set, in the home folder of the user database.
    ///   - namespace: The folder's name. If it is not one valid file name, every call throws
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

    /// Creates a store that is the folder at `url`, such as one in an app group's container or one that
    /// the user picked.
    ///
    /// If the folder exists, the one above it does not have to be readable; only `deleteAll()`, which
    /// replaces the folder, needs to write there.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of the folder, as `URL(filePath:)` makes one; with any other URL, every
    ///     call throws `invalidPath`. Symbolic links above the folder are followed, but the folder itself
    ///     must not be one.
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
            at: url, on: fileSystem, protection: DataProtection(fileProtection))
    }
}

extension DiskFileStore.BaseDirectory {
    fileprivate var url: URL {
        switch self {
        case .documents: UserFolder.documents.url
        case .applicationSupport: UserFolder.applicationSupport.url
        case .caches: UserFolder.caches.url
        }
    }
}

extension DataProtection {
    /// The class of protection for `type`; the strictest one for a type that this library does not know.
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
