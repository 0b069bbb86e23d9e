import FileSystem

/// Why a call of a file store failed.
///
/// A call that throws one of these leaves nothing half done, except one that could not free all of the space of what it
/// deleted. `path` is the path that the call was
/// given, that of the source file, or that of a folder that could not be made; the path of the store's
/// own folder is absolute. `underlying` is the system's own description, with advice for developers.
///
/// Log the `description`, and show people the `localizedDescription` and the `recoverySuggestion`.
public enum FileStoreError: Error, Sendable, Equatable {
    /// The path does not exist.
    case fileNotFound(path: String)
    /// The path exists, and `overwrite` is false.
    case fileAlreadyExists(path: String)
    /// The file could not be written.
    case writeFailed(path: String, underlying: String)
    /// The file or folder could not be deleted, or some of its space could not be freed.
    case deleteFailed(path: String, underlying: String)
    /// The folder could not be made. It is the folder of the call, one that leads to its path, or the
    /// store's own.
    case directoryCreationFailed(path: String, underlying: String)
    /// The file or folder could not be read. It is never treated as missing.
    case readFailed(path: String, underlying: String)
    /// The path could lead out of the store, or cannot be that of a file.
    case invalidPath(path: String, reason: String)
    /// The path is that of a folder, and a file is needed.
    case isDirectory(path: String)
    /// The path, or a part of it, is that of a file, and a folder is needed.
    case notADirectory(path: String)
    /// The value could not be encoded. Nothing was written.
    case encodingFailed(path: String, underlying: String)
    /// The file exists, but its contents could not be decoded as such a value.
    case decodingFailed(path: String, underlying: String)
}

extension FileStoreError: CustomStringConvertible {
    /// One line with the operation, the path and the reason, for logs and developers.
    public var description: String {
        switch self {
        case .fileNotFound(let path): "cannot find \(path): it does not exist"
        case .fileAlreadyExists(let path):
            "cannot overwrite \(path): it exists, and overwrite is false"
        case .writeFailed(let path, let underlying): "cannot write \(path): \(underlying)"
        case .deleteFailed(let path, let underlying): "cannot delete \(path): \(underlying)"
        case .directoryCreationFailed(let path, let underlying):
            "cannot make the folder \(path): \(underlying)"
        case .readFailed(let path, let underlying): "cannot read \(path): \(underlying)"
        case .invalidPath(let path, let reason): "cannot use the path \(path): \(reason)"
        case .isDirectory(let path):
            "cannot use the path \(path): a folder is where a file must be"
        case .notADirectory(let path):
            "cannot use the path \(path): a file is where a folder must be"
        case .encodingFailed(let path, let underlying):
            "cannot encode the value for \(path): \(underlying)"
        case .decodingFailed(let path, let underlying):
            "cannot decode the value in \(path): \(underlying)"
        }
    }
}

extension FileStoreError {
    /// The purpose of a call, which decides how its failure is described.
    enum Purpose { case read, write, delete, makeFolder }

    /// Describes `error` as the failure of a call on `path`.
    init(_ error: FileSystemError, path: String, _ purpose: Purpose) {
        let underlying = error.message
        self =
            switch (error.code, purpose) {
            case (.noSuchFile, _): .fileNotFound(path: path)
            case (.fileExists, _): .fileAlreadyExists(path: path)
            case (.isFolder, _): .isDirectory(path: path)
            case (.notFolder, _): .notADirectory(path: path)
            case (.tooManyLinks, _): .link(path: path)
            // A device or a pipe; open(2) fails with the last two for a socket, on Linux and on Apple.
            case (.notSupported, .read), (.noSuchDevice, .read), (.operationNotSupported, .read):
                .link(path: path)
            case (_, .read): .readFailed(path: path, underlying: underlying)
            case (_, .write): .writeFailed(path: path, underlying: underlying)
            case (_, .delete): .deleteFailed(path: path, underlying: underlying)
            case (_, .makeFolder): .directoryCreationFailed(path: path, underlying: underlying)
            }
    }

    /// The error of a path that leads to or through a symbolic link or a device.
    static func link(path: String) -> Self {
        .invalidPath(
            path: path, reason: "a symbolic link or a device is where a file or folder must be")
    }

    /// The result of `body`; an error of the file system becomes one of `path`.
    static func describing<Result>(
        _ path: String, _ purpose: Purpose, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw FileStoreError(error, path: path, purpose)
        }
    }
}
