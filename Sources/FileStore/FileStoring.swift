public import Foundation

/// A folder of files, addressed by paths relative to it.
///
/// Depend on the protocol, and give the app a ``DiskFileStore`` and its tests and previews an
/// ``InMemoryFileStore``; both keep the same promises:
///
///     let files: any FileStoring = DiskFileStore(directory: .documents, namespace: "files")
///     try await files.save(photo, to: "tasks/42/photo.jpg")
///     let bytes = try await files.load("tasks/42/photo.jpg")
///
/// A path is 1 to 64 file names joined by `/`: each of 1 to 255 bytes, not `.` or `..`, without
/// NUL, and all together at most 1,024 bytes. Symbolic links in the store are never followed.
/// Every other path is the error ``FileStoreError/invalidPath(path:reason:)``.
///
/// What an asynchronous call has done is on stable storage when it returns, with every folder
/// that leads to it. If the process dies or the power fails first, a file has its old bytes or
/// its new ones, never a mixture. Any number of calls may run at once, also on the same path,
/// also from several processes; asynchronous calls do their work on threads of their own.
public protocol FileStoring: Sendable {
    /// Saves `data` as the file at `path`, in folders that are made when they are missing.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - path: The file's path in the store.
    ///   - overwrite: Whether a file that is there is replaced. If not, the system decides in one
    ///     step, so of several saves at once exactly one succeeds.
    /// - Throws: ``FileStoreError``: `fileAlreadyExists` where `overwrite` is false and the path
    ///   is taken; `isDirectory`, `notADirectory`, `invalidPath`, `directoryCreationFailed` or
    ///   `writeFailed`. Where a file or a folder cannot be synced, `writeFailed` leaves open
    ///   whether the new bytes would survive a loss of power. `CancellationError` before the
    ///   save began.
    func save(_ data: Data, to path: String, overwrite: Bool) async throws

    /// Copies the file at `sourceURL` into the store; volumes that can share its bytes do so.
    ///
    /// - Parameters:
    ///   - sourceURL: A regular file anywhere, or a file of this store by its URL.
    ///   - path: The copy's path in the store.
    ///   - overwrite: Whether a file that is there is replaced.
    /// - Throws: ``FileStoreError``: `fileNotFound`, `isDirectory`, `invalidPath` (a symbolic
    ///   link, or no file) or `readFailed` with the source's path; else the same as
    ///   ``save(_:to:overwrite:)``. `CancellationError` between two pieces of a long copy.
    func copy(from sourceURL: URL, to path: String, overwrite: Bool) async throws

    /// Moves the file at `sourceURL` into the store.
    ///
    /// On the store's own volume the file is synced and renamed, and keeps its times. From
    /// another volume it is copied and synced, and then removed, and so is one with several hard
    /// links; if the process dies in between, both files exist. They also may after a power loss
    /// before the return, on a volume whose renames are not atomic on disk, as POSIX allows.
    ///
    /// - Parameters:
    ///   - sourceURL: A regular file anywhere, or a file of this store by its URL.
    ///   - path: The file's new path in the store.
    ///   - overwrite: Whether a file that is there is replaced.
    /// - Throws: ``FileStoreError``: `deleteFailed` with the source's path where the copy is
    ///   complete and the source cannot be removed; else the same as
    ///   ``copy(from:to:overwrite:)``.
    func move(from sourceURL: URL, to path: String, overwrite: Bool) async throws

    /// The bytes of the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `isDirectory`, `notADirectory`,
    ///   `invalidPath` or `readFailed`. `CancellationError` before the file was opened.
    func load(_ path: String) async throws -> Data

    /// The absolute file URL of `path`, whether anything is there or not.
    ///
    /// For a path that the store refuses it is a URL inside `/dev/null`, where nothing can be; so
    /// no URL leads out of the store.
    func url(for path: String) -> URL

    /// Whether a file or folder is at `path`.
    ///
    /// False also for a path that the store refuses, and where the system does not let it look;
    /// ``info(for:)`` tells why.
    func exists(_ path: String) -> Bool

    /// What is known of the file or folder at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`.
    func info(for path: String) throws -> StoredFile

    /// The files and folders in a folder, in the order of their names.
    ///
    /// With `recursive`, what a folder holds follows the folder. Symbolic links, devices and names
    /// that are not UTF-8 are left out. What is saved or deleted meanwhile may be in the list or
    /// not.
    ///
    /// - Parameters:
    ///   - directory: A folder's path, or nil for the whole store, which may be missing.
    ///   - recursive: Whether to go into the folders.
    /// - Returns: What was found, with paths relative to the store.
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `readFailed`. `CancellationError` before any entry.
    func list(in directory: String?, recursive: Bool) async throws -> [StoredFile]

    /// The size in bytes of the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `isDirectory`; else the same as ``info(for:)``.
    func size(of path: String) throws -> UInt64

    /// The sizes of all files that a recursive list has, added up, in bytes.
    ///
    /// - Throws: The same as ``list(in:recursive:)``.
    func totalSize() async throws -> UInt64

    /// Deletes the file at `path`.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `isDirectory`, `notADirectory`,
    ///   `invalidPath` or `deleteFailed`. `CancellationError` before anything was deleted.
    func delete(_ path: String) async throws

    /// Deletes the folder at `path` with all that it holds.
    ///
    /// All of it goes from the store in one step; freeing the space comes after that. If the
    /// process dies in between, a later writer of the same store removes the rest after a day.
    ///
    /// - Throws: ``FileStoreError``: `fileNotFound`, `notADirectory`, `invalidPath` or
    ///   `deleteFailed`, also where some of the space could not be freed. `CancellationError`
    ///   before anything was deleted.
    func deleteDirectory(_ path: String) async throws

    /// Deletes everything in the store, and makes its folder anew.
    ///
    /// As with ``deleteDirectory(_:)``, all goes in one step.
    ///
    /// - Throws: ``FileStoreError``: `invalidPath`, `directoryCreationFailed` or `deleteFailed`.
    ///   `CancellationError` before anything was deleted.
    func deleteAll() async throws

    /// Makes the folder at `path` and those above it; does nothing where it is there.
    ///
    /// - Throws: ``FileStoreError``: `notADirectory`, `invalidPath` or
    ///   `directoryCreationFailed`. `CancellationError` before anything was made.
    func createDirectory(_ path: String) async throws
}

extension FileStoring {
    /// Saves `data` as the file at `path`, replacing one that is there.
    ///
    /// - Throws: The same as ``save(_:to:overwrite:)``.
    public func save(_ data: Data, to path: String) async throws {
        try await save(data, to: path, overwrite: true)
    }

    /// Copies the file at `sourceURL` to `path`, replacing one that is there.
    ///
    /// - Throws: The same as ``copy(from:to:overwrite:)``.
    public func copy(from sourceURL: URL, to path: String) async throws {
        try await copy(from: sourceURL, to: path, overwrite: true)
    }

    /// Moves the file at `sourceURL` to `path`, replacing one that is there.
    ///
    /// - Throws: The same as ``move(from:to:overwrite:)``.
    public func move(from sourceURL: URL, to path: String) async throws {
        try await move(from: sourceURL, to: path, overwrite: true)
    }

    /// The files and folders that are directly in a folder, by default in the store's own.
    ///
    /// - Throws: The same as ``list(in:recursive:)``.
    public func list(in directory: String? = nil) async throws -> [StoredFile] {
        try await list(in: directory, recursive: false)
    }

    /// The files and folders of the store, with or without what the folders hold.
    ///
    /// - Throws: The same as ``list(in:recursive:)``.
    public func list(recursive: Bool) async throws -> [StoredFile] {
        try await list(in: nil, recursive: recursive)
    }
}
