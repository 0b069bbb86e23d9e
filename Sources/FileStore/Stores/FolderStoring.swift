import FileSystem
import Foundation

/// A store that is a folder of some file system: on disk or in memory.
protocol FolderStoring: FileStoring {
    var folder: StoreFolder { get }
}

extension FolderStoring {
    /// Saves `data` as the file at `path`.
    public func save(_ data: Data, to path: String, overwrite: Bool) async throws {
        try await perform(.write, on: path) { path, _ in
            try folder.save(data, to: path, overwrite: overwrite)
        }
    }

    /// Copies the file at `sourceURL` into the store.
    public func copy(from sourceURL: URL, to path: String, overwrite: Bool) async throws {
        try await perform(.write, on: path) { path, cancellation in
            try StoreSource.withSource(at: sourceURL, for: folder) { source in
                try folder.copy(source, to: path, overwrite: overwrite, cancellation)
            }
        }
    }

    /// Moves the file at `sourceURL` into the store.
    public func move(from sourceURL: URL, to path: String, overwrite: Bool) async throws {
        try await perform(.write, on: path) { path, cancellation in
            try StoreSource.withSource(at: sourceURL, for: folder) { source in
                try folder.move(source, to: path, overwrite: overwrite, cancellation)
            }
        }
    }

    /// The bytes of the file at `path`.
    public func load(_ path: String) async throws -> Data {
        try await perform(.read, on: path) { path, _ in try folder.load(path) }
    }

    /// The absolute file URL of `path`.
    public func url(for path: String) -> URL { folder.url(for: path) }

    /// Whether a file or folder is at `path`.
    public func exists(_ path: String) -> Bool { (try? info(for: path)) != nil }

    /// Describes the file or folder at `path`.
    public func info(for path: String) throws -> StoredFile {
        try FileStoreError.describing(path, .read) { try folder.info(StorePath(path)) }
    }

    /// The files and folders in a folder, in the order of their names.
    public func list(in directory: String?, recursive: Bool) async throws -> [StoredFile] {
        try await perform(.read) { cancellation in
            let path = try directory.map(StorePath.init)
            return try folder.list(path, recursive: recursive, cancellation)
        }
    }

    /// The size in bytes of the file at `path`.
    public func size(of path: String) throws -> UInt64 {
        let info = try info(for: path)
        guard !info.isDirectory else { throw FileStoreError.isDirectory(path: path) }
        return info.size
    }

    /// The sum of the sizes of all files, in bytes.
    public func totalSize() async throws -> UInt64 {
        try await perform(.read) { cancellation in try folder.totalSize(cancellation) }
    }

    /// Deletes the file at `path`.
    public func delete(_ path: String) async throws {
        try await perform(.delete, on: path) { path, _ in try folder.delete(path) }
    }

    /// Deletes the folder at `path` with its contents.
    public func deleteDirectory(_ path: String) async throws {
        try await perform(.delete, on: path) { path, _ in try folder.deleteFolder(path) }
    }

    /// Deletes everything in the store.
    public func deleteAll() async throws {
        try await perform(.delete) { _ in try folder.deleteAll() }
    }

    /// Makes the folder at `path` and the missing folders above it.
    public func createDirectory(_ path: String) async throws {
        try await perform(.makeFolder, on: path) { path, _ in try folder.makeFolder(path) }
    }
}

extension FolderStoring {
    private func perform<Result: Sendable>(
        _ purpose: FileStoreError.Purpose, on path: String,
        _ work: @escaping @Sendable (StorePath, Cancellation) throws -> Result
    ) async throws -> Result {
        try await DiskQueue.perform { cancellation in
            try FileStoreError.describing(path, purpose) {
                try work(StorePath(path), cancellation)
            }
        }
    }

    /// Performs work on the whole store; errors have the path of the store's folder.
    private func perform<Result: Sendable>(
        _ purpose: FileStoreError.Purpose,
        _ work: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        try await DiskQueue.perform { cancellation in
            try FileStoreError.describing(folder.url.path(percentEncoded: false), purpose) {
                try work(cancellation)
            }
        }
    }
}
