import FileSystem
public import Foundation

/// A folder that holds `Documents`, `Library` and `tmp`.
///
/// ``AppFolder`` is the app's own root. Any other folder can be a root too:
///
///     let vault = try FolderRoot(at: URL(filePath: "/srv/vault"))
///     vault.Library.Caches.url  // file:///srv/vault/Library/Caches/
public struct FolderRoot: Hashable, Sendable {
    /// The given folder, or nil for the app's own folders, which the system knows.
    private let folder: URL?

    static let app = FolderRoot(folder: nil)

    private init(folder: URL?) {
        self.folder = folder
    }

    /// Creates a root at `baseURL`, which need not exist.
    ///
    /// - Parameter baseURL: The absolute URL of a folder.
    /// - Throws: ``AppFolderError``; its code is `invalidRoot` if `baseURL` is not such a URL.
    public init(at baseURL: URL) throws {
        let path = baseURL.filePath
        guard baseURL.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw AppFolderError(
                .invalidRoot, at: baseURL,
                "Cannot use \(baseURL) as a root: it is not the absolute URL of a folder; "
                    + "create one with URL(filePath:).")
        }
        self.init(folder: URL(filePath: path, directoryHint: .isDirectory))
    }

    /// The folder that holds the others.
    public var baseURL: URL { folder ?? UserFolder.home.url }

    /// Files that the user made.
    public var Documents: Documents { .init(location: Location(root: self, place: .documents)) }

    /// Files that the user never opens.
    public var Library: Library { .init(location: Location(root: self, place: .library)) }

    /// Files that only one run of the app needs.
    public var tmp: Temporary { .init(location: Location(root: self, place: .tmp)) }
}

extension FolderRoot {
    func url(of place: SystemPlace) -> URL {
        folder?.appending(path: place.subpath, directoryHint: .isDirectory) ?? place.appURL
    }

    /// Whether other programs keep files directly in the folders of this root.
    var isShared: Bool {
        guard folder == nil else { return false }
        // With Catalyst, an app outside the sandbox shares the folders of all programs of the user.
        #if os(macOS) || targetEnvironment(macCatalyst)
            return ProcessInfo.processInfo.environment["APP_SANDBOX_CONTAINER_ID"] == nil
        #elseif canImport(Darwin)
            return false
        #else
            return true
        #endif
    }
}
