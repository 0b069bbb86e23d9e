import FileSystem
import Foundation

/// A file that is to come into a store, open and checked to be a regular file.
struct SourceFile {
    let path: String
    let name: FileName
    let folder: Handle
    let file: Handle
    /// Whether the store's file system can take the file as it is, at least on one volume.
    let isOnSameFileSystem: Bool
    private let fileSystem: any FileSystem

    /// In bytes: how much is copied between two looks whether the task was cancelled.
    private static let pieceSize = 8 << 20

    private init(
        _ name: FileName, in folder: Handle, path: String, on fileSystem: any FileSystem,
        isOnSameFileSystem: Bool
    ) throws {
        self.path = path
        self.name = name
        self.folder = folder
        self.fileSystem = fileSystem
        self.isOnSameFileSystem = isOnSameFileSystem
        file = try fileSystem.openFile(name, in: folder, for: .read)
    }

    /// The result of `body` with the file at `url`, which may be the store's own.
    ///
    /// Links in the folders above another file are followed, because the caller chose the path.
    ///
    /// - Throws: ``FileStoreError`` with the source's path, or what `body` throws.
    static func open<Result>(
        _ url: URL, for store: StoreFolder, _ body: (SourceFile) throws -> Result
    ) throws -> Result {
        #if canImport(Darwin)
            // A file that the user picked from another app is open to us only in between.
            let isScoped = url.startAccessingSecurityScopedResource()
            defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
        #endif
        let path = url.path(percentEncoded: false)
        let source = try FileStoreError.describing(path, .read) {
            if let path = store.path(of: url) {
                return try SourceFile(
                    path.name, in: store.openFolder(holding: path), path: path.string,
                    on: store.fileSystem, isOnSameFileSystem: true)
            }
            guard url.isFileURL, !path.utf8.contains(0), let name = FileName(url.lastPathComponent)
            else {
                throw FileStoreError.invalidPath(
                    path: url.absoluteString, reason: "it is not the URL of a file")
            }
            let fileSystem = store.sourceFileSystem ?? store.fileSystem
            let folder = try fileSystem.openFolder(
                at: url.deletingLastPathComponent().path(percentEncoded: false))
            return try SourceFile(
                name, in: folder, path: path, on: fileSystem,
                isOnSameFileSystem: store.sourceFileSystem == nil)
        }
        return try body(source)
    }
}

extension SourceFile {
    /// Copies the bytes to `target`, an empty file on `targetFileSystem`.
    func copy(to target: Handle, on targetFileSystem: any FileSystem, _ cancellation: Cancellation)
        throws
    {
        if isOnSameFileSystem, try fileSystem.clone(file, to: target) { return }
        var offset = 0
        while true {
            try cancellation.check()
            let count =
                isOnSameFileSystem
                ? try fileSystem.copy(file, to: target, at: offset, count: Self.pieceSize)
                : try pass(to: target, on: targetFileSystem, at: offset)
            if count == 0 { return }
            offset += count
        }
    }

    /// Copies a piece from one file system to another, and returns how many bytes that were.
    private func pass(to target: Handle, on targetFileSystem: any FileSystem, at offset: Int) throws
        -> Int
    {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            let count = try fileSystem.read(file, at: offset, into: buffer)
            try targetFileSystem.write(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target, at: offset)
            return count
        }
    }

    /// Whether the name still refers to the file that was opened.
    func isThere() throws -> Bool {
        let found = try fileSystem.status(of: name, in: folder)?.identity
        return try found == fileSystem.status(of: file).identity
    }

    /// Whether a change of the file would show under another name too.
    func hasOtherNames() throws -> Bool { try fileSystem.status(of: file).linkCount > 1 }

    /// Removes the file, for good when this returns, unless another one has its name by now.
    ///
    /// - Throws: ``FileStoreError`` with `deleteFailed`.
    func remove() throws {
        do {
            guard try isThere() else { return }
            try fileSystem.removeFile(name, in: folder)
            try fileSystem.sync(folder)
        } catch let error as FileSystemError {
            throw FileStoreError.deleteFailed(path: path, underlying: error.description)
        }
    }
}

extension StoreFolder {
    /// The path in the store that `url` names, nil where it names a file elsewhere.
    fileprivate func path(of url: URL) -> StorePath? {
        let (root, path) = (self.url.path(percentEncoded: false), url.path(percentEncoded: false))
        guard url.isFileURL, path.hasPrefix(root) else { return nil }
        return try? StorePath(String(path.dropFirst(root.count)))
    }
}
