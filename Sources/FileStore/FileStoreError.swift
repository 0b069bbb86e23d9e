import FileSystem
public import Foundation

/// What went wrong in a file store.
///
/// Nothing is half done when a call throws one of these. A path is the one that the call was
/// given, or that of a source file; `underlying` is the system's own description.
public enum FileStoreError: LocalizedError, Sendable, Equatable {
    /// Nothing is at the path.
    case fileNotFound(path: String)
    /// Something is at the path, and was not to be overwritten.
    case fileAlreadyExists(path: String)
    /// The file could not be written.
    case writeFailed(path: String, underlying: String)
    /// The file or folder could not be deleted, or not all of its space freed.
    case deleteFailed(path: String, underlying: String)
    /// The folder could not be made.
    case directoryCreationFailed(path: String, underlying: String)
    /// Something is at the path, or may be, and could not be read: never taken for missing.
    case readFailed(path: String, underlying: String)
    /// The path could lead out of the store, or is none that a file can have.
    case invalidPath(path: String, reason: String)
    /// A folder is where a file was expected.
    case isDirectory(path: String)
    /// A file is where a folder was expected.
    case notADirectory(path: String)
    /// The value could not be encoded; nothing was written.
    case encodingFailed(path: String, underlying: String)
    /// The file is there, and does not hold such a value.
    case decodingFailed(path: String, underlying: String)

    /// The whole story in one line: operation, path and reason.
    public var errorDescription: String? {
        switch self {
        case .fileNotFound(let path): "there is no file at \(path)"
        case .fileAlreadyExists(let path):
            "\(path) already exists, and was not to be overwritten"
        case .writeFailed(let path, let underlying): "cannot write \(path): \(underlying)"
        case .deleteFailed(let path, let underlying): "cannot delete \(path): \(underlying)"
        case .directoryCreationFailed(let path, let underlying):
            "cannot make the folder \(path): \(underlying)"
        case .readFailed(let path, let underlying): "cannot read \(path): \(underlying)"
        case .invalidPath(let path, let reason): "cannot use the path \(path): \(reason)"
        case .isDirectory(let path): "\(path) is a folder, not a file"
        case .notADirectory(let path): "\(path) is a file, or leads through one, not a folder"
        case .encodingFailed(let path, let underlying):
            "cannot encode the value for \(path): \(underlying)"
        case .decodingFailed(let path, let underlying):
            "\(path) does not hold such a value: \(underlying)"
        }
    }
}

extension FileStoreError {
    /// What a call is for, which tells what its failure is.
    enum Purpose { case read, write, delete, makeFolder }

    /// Describes `error` as the failure of a call on `path`.
    init(_ error: FileSystemError, path: String, _ purpose: Purpose) {
        let underlying = error.description
        self =
            switch (error.code, purpose) {
            case (.noSuchFile, _): .fileNotFound(path: path)
            case (.fileExists, _): .fileAlreadyExists(path: path)
            case (.isFolder, _): .isDirectory(path: path)
            case (.notFolder, _): .notADirectory(path: path)
            case (.tooManyLinks, _): .link(path: path)
            case (_, .read): .readFailed(path: path, underlying: underlying)
            case (_, .write): .writeFailed(path: path, underlying: underlying)
            case (_, .delete): .deleteFailed(path: path, underlying: underlying)
            case (_, .makeFolder): .directoryCreationFailed(path: path, underlying: underlying)
            }
    }

    /// The error of a path that leads to or through a symbolic link or a device.
    static func link(path: String) -> Self {
        .invalidPath(path: path, reason: "what is there is neither a file nor a folder")
    }

    /// The result of `body`, with the errors of the file system described as those of `path`.
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
