import FileSystem
import Foundation
import Synchronization

/// The folder that a store keeps its files in, on any file system: what both stores share.
///
/// Every call starts at the folder's path and holds no handle when it ends. It goes from handle
/// to handle, one name at a time, so a folder that is swapped for a symbolic link meanwhile
/// leads nowhere. A class, because it remembers which folders it has settled.
final class StoreFolder: Sendable {
    /// The folder itself; inside `/dev/null` where the namespace cannot be used.
    let url: URL
    let fileSystem: any FileSystem
    /// Where the URLs of other files lead, nil where that is `fileSystem` too.
    let sourceFileSystem: (any FileSystem)?
    /// The folder's own name, or why it has none.
    let name: Result<FileName, any Error>
    /// What the folder is in.
    let parent: URL
    let protection: DataProtection
    let settled = Mutex<Set<FileIdentity>>([])
    let hasSweptParent = Atomic(false)

    static let fileMode: UInt16 = 0o600
    static let folderMode: UInt16 = 0o700
    /// How often others may remove the folder that a call is about to write into.
    static let attempts = 100

    init(
        _ namespace: String, in parent: URL, on fileSystem: any FileSystem,
        sourceFileSystem: (any FileSystem)? = nil, protection: DataProtection
    ) {
        name = Result {
            let path = try StorePath(namespace)
            guard path.folders.isEmpty else {
                throw FileStoreError.invalidPath(
                    path: namespace, reason: "a namespace is one file name")
            }
            return path.name
        }
        self.parent = parent
        self.fileSystem = fileSystem
        self.sourceFileSystem = sourceFileSystem
        self.protection = protection
        url =
            (try? name.get()) == nil
            ? .nowhere : parent.appending(path: namespace, directoryHint: .isDirectory)
    }

    /// The absolute URL of the file at `path`, in `/dev/null` where that is no valid path.
    func url(for path: String) -> URL {
        guard (try? StorePath(path)) != nil else {
            return .nowhere.appending(path: "invalid-path", directoryHint: .notDirectory)
        }
        return url.appending(path: path, directoryHint: .notDirectory)
    }

    /// The result of `body`, again where a folder on its way was removed in the middle of it.
    func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try body()
            } catch let error as FileSystemError where error.code == .noSuchFile {
                continue
            }
        }
        return try body()
    }
}
