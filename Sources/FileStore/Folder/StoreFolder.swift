import FileSystem
import Foundation
import Synchronization

/// The folder of a store, on any file system: the code that both stores share.
///
/// Every call starts at the folder's path and keeps no handle when it ends. Every folder is opened
/// in the handle of its parent, so no symbolic link is followed, even if another process puts one
/// in place of a folder meanwhile. A class, because it remembers the prepared folders.
final class StoreFolder: Sendable {
    /// The URL of the folder; `/dev/null` if its name or its place is invalid.
    let url: URL
    let fileSystem: any FileSystem
    /// The file system of source files outside the store, nil if it is `fileSystem` too.
    let sourceFileSystem: (any FileSystem)?
    /// The folder's name, or the error if its name or its place is invalid.
    let name: Result<FileName, any Error>
    /// The URL of the folder that holds the store's folder.
    let parent: URL
    let protection: DataProtection
    /// The folders that ``prepare(_:in:)`` has prepared.
    let prepared = Mutex<Set<FileIdentity>>([])
    let hasSweptParent = Atomic(false)

    static let fileMode: UInt16 = 0o600
    static let folderMode: UInt16 = 0o700
    /// The number of attempts of a call whose folder other processes change each time.
    static let attempts = 100

    /// Creates the folder `namespace` in `parent`.
    convenience init(
        _ namespace: String, in parent: URL, on fileSystem: any FileSystem,
        sourceFileSystem: (any FileSystem)? = nil, protection: DataProtection
    ) {
        let name = Result {
            let path = try StorePath(namespace)
            guard path.folders.isEmpty else {
                throw FileStoreError.invalidPath(
                    path: namespace, reason: "a namespace must be one file name")
            }
            return path.name
        }
        self.init(
            name, in: parent, on: fileSystem, sourceFileSystem: sourceFileSystem,
            protection: protection)
    }

    /// Creates the folder at `url`, which may be any URL.
    convenience init(at url: URL, on fileSystem: any FileSystem, protection: DataProtection) {
        self.init(
            Result { try url.folderName() }, in: url.deletingLastPathComponent(), on: fileSystem,
            sourceFileSystem: nil, protection: protection)
    }

    private init(
        _ name: Result<FileName, any Error>, in parent: URL, on fileSystem: any FileSystem,
        sourceFileSystem: (any FileSystem)?, protection: DataProtection
    ) {
        self.name = name
        self.parent = parent
        self.fileSystem = fileSystem
        self.sourceFileSystem = sourceFileSystem
        self.protection = protection
        url =
            (try? name.get()).map {
                parent.appending(path: $0.string, directoryHint: .isDirectory)
            } ?? .nowhere
    }

    /// The absolute URL of the file at `path`, inside `/dev/null` if the path is invalid.
    func url(for path: String) -> URL {
        guard (try? StorePath(path)) != nil else {
            return .nowhere.appending(path: "invalid-path", directoryHint: .notDirectory)
        }
        return url.appending(path: path, directoryHint: .notDirectory)
    }

    /// The result of `body`, which is called again if another process removed its folder meanwhile.
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

extension URL {
    /// The name of the folder at this URL; throws `invalidPath` unless the URL is an absolute one of a folder.
    fileprivate func folderName() throws -> FileName {
        let path = path(percentEncoded: false)
        // Foundation gives no path for bytes that are not UTF-8.
        if isFileURL, path.isEmpty, !self.path().isEmpty {
            throw FileStoreError.invalidPath(
                path: absoluteString, reason: FileSystemError.isNotUTF8)
        }
        guard isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw FileStoreError.invalidPath(
                path: absoluteString,
                reason: "it is not the absolute URL of a folder; make one with URL(filePath:)")
        }
        return try StorePath(lastPathComponent).name
    }
}
