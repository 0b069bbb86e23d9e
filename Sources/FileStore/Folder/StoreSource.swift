import FileSystem
import Foundation

/// A file to copy or move into a store.
struct StoreSource {
    let file: ImportSource
    /// The path for errors: in the store for a file of the store itself, else absolute.
    let path: String
    /// Whether the store's file system can clone and rename the file.
    let isOnStoreFileSystem: Bool

    /// The result of `body` with the file at `url`, inside or outside of the store.
    ///
    /// - Throws: ``FileStoreError`` with the source's path, or the error of `body`.
    static func withSource<Result>(
        at url: URL, for store: StoreFolder, _ body: (StoreSource) throws -> Result
    ) throws -> Result {
        try url.withAccess { try body(StoreSource(at: url, for: store)) }
    }

    private init(at url: URL, for store: StoreFolder) throws {
        if let inner = store.path(of: url) {
            path = inner.string
            isOnStoreFileSystem = true
            file = try FileStoreError.describing(path, .read) {
                try ImportSource(
                    inner.name, in: store.openFolder(holding: inner), on: store.fileSystem)
            }
        } else {
            path = url.path(percentEncoded: false)
            isOnStoreFileSystem = store.sourceFileSystem == nil
            file = try FileStoreError.describing(path, .read) {
                do {
                    return try ImportSource(
                        at: url, on: store.sourceFileSystem ?? store.fileSystem)
                } catch let error as FileSystemError where error.code == .invalidArgument {
                    throw FileStoreError.invalidPath(
                        path: url.absoluteString, reason: "it is not the URL of a file")
                } catch let error as FileSystemError where error.isOfPathWithoutUTF8 {
                    throw FileStoreError.invalidPath(
                        path: error.path, reason: FileSystemError.isNotUTF8)
                }
            }
        }
    }

    /// Opens the folder that holds the file, which only a move needs.
    ///
    /// - Throws: ``FileStoreError`` with `readFailed`.
    func openFolder() throws -> Handle {
        try FileStoreError.describing(path, .read) { try file.openFolder() }
    }

    /// Removes the file durably from `folder`, its folder, unless the file was replaced or written to
    /// after it was opened.
    ///
    /// - Throws: ``FileStoreError`` with `deleteFailed`.
    func remove(from folder: Handle) throws {
        do {
            if try file.remove(from: folder) { try file.fileSystem.sync(folder) }
        } catch let error as FileSystemError {
            throw FileStoreError.deleteFailed(path: path, underlying: error.message)
        }
    }
}

extension StoreFolder {
    /// The path in the store that `url` names, nil if it names a file elsewhere.
    fileprivate func path(of url: URL) -> StorePath? {
        let (root, path) = (self.url.path(percentEncoded: false), url.path(percentEncoded: false))
        guard url.isFileURL, path.hasPrefix(root) else { return nil }
        return try? StorePath(String(path.dropFirst(root.count)))
    }
}
