public import Foundation

/// A folder of files, addressed by paths relative to it.
///
/// Depend on the protocol. Give the app a ``DiskFileStore``, and its tests and previews an
/// ``InMemoryFileStore``, which behaves in the same way:
///
///     let files: any FileStoring = DiskFileStore(directory: .documents, namespace: "files")
///     try await files.save(photo, to: "tasks/42/photo.jpg")
///     let bytes = try await files.load("tasks/42/photo.jpg")
///
/// A path is 1 to 64 file names joined by `/`, at most 1,024 bytes long. Each name is 1 to 255
/// bytes without NUL, and is not `.` or `..`. Any other path, and one that leads to or through a
/// symbolic link, is the error ``FileStoreError/invalidPath(path:reason:)``.
///
/// When an asynchronous call returns, its changes are on stable storage, with every folder that
/// leads to them. If the process dies or the power fails before that, a file has its old bytes or
/// its new ones, never a mixture. Any number of calls can run at once, also on the same path and
/// from several processes. Asynchronous calls do their work on their own threads.
public protocol FileStoring: Sendable {
    /// Saves `data` as the file at `path`, and makes the missing folders of the path.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - path: The file's path in the store.
    ///   - overwrite: Whether an existing file is replaced. If false, the system checks and saves
    ///     in one step, so of several saves at once exactly one succeeds.
    /// - Throws: ``FileStoreError``: `fileAlreadyExists` if `overwrite` is false and the path
    ///   exists; `isDirectory`, `notADirectory`, `invalidPath`, `directoryCreationFailed` or
    ///   `writeFailed`. If `writeFailed` was thrown because a sync failed, the new bytes may or
    ///   may not survive a power loss. `CancellationError` if the task was cancelled before the
    ///   save began.
    func save(_ data: Data, to path: String, overwrite: Bool) async throws

    /// Copies the file at `sourceURL` into the store; volumes that can share its bytes do so.
    ///
    /// - Parameters:
    ///   - sourceURL: A regular file anywhere, or a file of this store by its URL.
    ///   - path: The copy's path in the store.
    ///   - overwrite: Whether an existing file is replaced.
    /// - Throws: ``FileStoreError``. With the source's path: `fileNotFound`, `isDirectory`,
    ///   `notADirectory`, `invalidPath` (a symbolic link, a device, or not the URL of a file) or `readFailed`.
    ///   With `path`: `fileAlreadyExists` if `overwrite` is false and the path exists; `isDirectory`,
    ///   `notADirectory`, `invalidPath`, `directoryCreationFailed` or `writeFailed`.
    ///   `CancellationError` if the task was cancelled before all bytes were copied.
    func copy(from sourceURL: URL, to path: String, overwrite: Bool) async throws

    /// Moves the file at `sourceURL` into the store.
    ///
    /// On the store's own volume the file is synced and renamed, and keeps its dates. A file on
    /// another volume, or with several hard links, is copied, and then removed unless it was
    /// replaced or written to meanwhile. If the process dies in between, both files exist. Both
    /// can also exist if the power fails before this call returns, on a volume whose renames are
    /// not atomic on disk, as POSIX allows.
    ///
    /// - Parameters:
    ///   - sourceURL: A regular file anywhere, or a file of this store by its URL.
    ///   - path: The file's new path in the store.
    ///   - overwrite: Whether an existing file is replaced.
    /// - Throws: ``FileStoreError``. With the source's path: `fileNotFound`, `isDirectory`,
    ///   `notADirectory`, `invalidPath` (a symbolic link, a device, or not the URL of a file) or `readFailed`;
    ///   `deleteFailed` if the copy is complete, but the source cannot be removed. With `path`:
    ///   `fileAlreadyExists` if `overwrite` is false and the path exists; `isDirectory`,
    ///   `notADirectory`, `invalidPath`, `directoryCreationFailed` or `writeFailed`.
    ///   `CancellationError` if the task was cancelled before all bytes were copied.
    func move(from sourceURL: URL, to path: String, overwrite: Bool) async throws

    /// The bytes of the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `isDirectory`, `notADirectory`,
    ///   `invalidPath` or `readFailed`. `CancellationError` if the task was cancelled before the
    ///   file was opened.
    func load(_ path: String) async throws -> Data

    /// The absolute file URL of `path`, which need not exist.
    ///
    /// The URL for an invalid path is inside `/dev/null`, where no file can be. So no URL leads
    /// out of the store.
    func url(for path: String) -> URL

    /// Whether a file or folder exists at `path`.
    ///
    /// Also false if the path is invalid, or if the system denies access; ``info(for:)`` throws
    /// the reason.
    func exists(_ path: String) -> Bool

    /// Describes the file or folder at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`.
    func info(for path: String) throws -> StoredFile

    /// The files and folders in a folder, in the order of their names.
    ///
    /// In a recursive list, the contents of a folder follow the folder. Symbolic links, devices
    /// and names that are not UTF-8 are left out. A file that is saved or deleted meanwhile may
    /// be in the list or not.
    ///
    /// - Parameters:
    ///   - directory: A folder's path, or nil for the whole store, which need not exist.
    ///   - recursive: Whether to list the contents of the folders too.
    /// - Returns: The files and folders, with paths relative to the store.
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`. `CancellationError` if the task was cancelled before the last entry.
    func list(in directory: String?, recursive: Bool) async throws -> [StoredFile]

    /// The size in bytes of the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `isDirectory`, `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`.
    func size(of path: String) throws -> UInt64

    /// The sum of the sizes of all files in a recursive list, in bytes.
    ///
    /// - Throws: ``FileStoreError``: `notADirectory`, `invalidPath` or `readFailed`.
    ///   `CancellationError` if the task was cancelled before the last entry.
    func totalSize() async throws -> UInt64

    /// Deletes the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `isDirectory`, `notADirectory`,
    ///   `invalidPath`, `readFailed` if a folder of the path cannot be opened, or `deleteFailed`.
    ///   `CancellationError` if the task was cancelled before the file was deleted.
    func delete(_ path: String) async throws

    /// Deletes the folder at `path` with its contents.
    ///
    /// The folder leaves the store in one step, and its space is freed after that. If the process
    /// dies in between, a writer of the same store removes the rest a day later.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath`; `readFailed` if a
    ///   folder of the path cannot be opened; `deleteFailed`, also if some of the space could not be
    ///   freed. `CancellationError` if the task was cancelled before the folder was deleted.
    func deleteDirectory(_ path: String) async throws

    /// Deletes everything in the store in one step, as ``deleteDirectory(_:)`` does.
    ///
    /// When this returns, the store's folder exists and is empty. No space is needed, so this works on a
    /// full volume too. It also frees the space that earlier calls left when they failed or their process
    /// died.
    ///
    /// - Throws: ``FileStoreError``: `notADirectory`, `invalidPath`; `deleteFailed`, also if some of the
    ///   space could not be freed; `directoryCreationFailed` if the store has no folder and none could be
    ///   made, also after everything was deleted; `readFailed` if the store's folder cannot be opened.
    ///   `CancellationError` if the task was cancelled before anything was deleted.
    func deleteAll() async throws

    /// Makes the folder at `path` and the missing folders above it, unless it exists.
    ///
    /// - Throws: ``FileStoreError``: `notADirectory`, `invalidPath` or
    ///   `directoryCreationFailed`. `CancellationError` if the task was cancelled before a folder
    ///   was made.
    func createDirectory(_ path: String) async throws
}

extension FileStoring {
    /// Saves `data` as the file at `path`, replacing an existing one.
    ///
    /// - Throws: ``FileStoreError``: `isDirectory`, `notADirectory`, `invalidPath`,
    ///   `directoryCreationFailed` or `writeFailed`. `CancellationError` if the task was cancelled
    ///   before the save began.
    public func save(_ data: Data, to path: String) async throws {
        try await save(data, to: path, overwrite: true)
    }

    /// Copies the file at `sourceURL` to `path`, replacing an existing one.
    ///
    /// - Throws: ``FileStoreError``. With the source's path: `fileNotFound`, `isDirectory`,
    ///   `notADirectory`, `invalidPath` or `readFailed`. With `path`: `isDirectory`, `notADirectory`,
    ///   `invalidPath`, `directoryCreationFailed` or `writeFailed`. `CancellationError` if the task
    ///   was cancelled before all bytes were copied.
    public func copy(from sourceURL: URL, to path: String) async throws {
        try await copy(from: sourceURL, to: path, overwrite: true)
    }

    /// Moves the file at `sourceURL` to `path`, replacing an existing one.
    ///
    /// - Throws: ``FileStoreError``. With the source's path: `fileNotFound`, `isDirectory`,
    ///   `notADirectory`, `invalidPath`, `readFailed` or `deleteFailed`. With `path`: `isDirectory`,
    ///   `notADirectory`, `invalidPath`, `directoryCreationFailed` or `writeFailed`.
    ///   `CancellationError` if the task was cancelled before all bytes were copied.
    public func move(from sourceURL: URL, to path: String) async throws {
        try await move(from: sourceURL, to: path, overwrite: true)
    }

    /// The files and folders directly in a folder, by default the store's own.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`. `CancellationError` if the task was cancelled before the last entry.
    public func list(in directory: String? = nil) async throws -> [StoredFile] {
        try await list(in: directory, recursive: false)
    }

    /// The files and folders in the store, with the contents of the folders if `recursive`.
    ///
    /// - Throws: ``FileStoreError``: `notADirectory`, `invalidPath` or `readFailed`.
    ///   `CancellationError` if the task was cancelled before the last entry.
    public func list(recursive: Bool) async throws -> [StoredFile] {
        try await list(in: nil, recursive: recursive)
    }
}
