import FileSystem
public import Foundation

/// The source of a staged file; it is removed after the staged file was inserted.
struct SourceFile: Hashable, Sendable {
    let url: URL
    let name: FileName
    /// The status of the file when it was staged.
    let status: FileStatus

    /// Removes the file, unless it was replaced or written to since it was staged.
    func remove() throws {
        let fileSystem = LocalFileSystem()
        _ = try url.withAccess {
            try fileSystem.removeFile(
                name, in: fileSystem.openParent(of: url), ifUnchangedSince: status)
        }
    }
}

/// A file that an import skipped, because it is not a readable regular file.
public struct SkippedFile: Sendable {
    /// The URL of the file.
    public let url: URL
    /// Why it was skipped: the code is `sourceMissing`, `sourceNotFile`, `notDownloaded`, `accessDenied` or
    /// `ioFailure`.
    public let error: DirectoryError
}

/// A file that an import was able to open.
struct CheckedSource: Sendable {
    let url: URL
    let byteCount: Int
}

extension CheckedSource {
    /// Opens the file at `url` once, before any file is copied.
    init(_ url: URL) throws {
        self.url = url
        byteCount = try url.withAccess { try ImportSource(importing: url).status.size }
    }

    /// The files at `urls` that can be imported, and those that cannot.
    static func checkEach(_ urls: [URL]) throws -> ([CheckedSource], skipped: [SkippedFile]) {
        var skipped: [SkippedFile] = []
        let sources = try urls.compactMap { url in
            do {
                return try CheckedSource(url)
            } catch let error as DirectoryError {
                skipped.append(SkippedFile(url: url, error: error))
                return nil
            }
        }
        return (sources, skipped)
    }
}

extension [CheckedSource] {
    /// The size of all files together.
    var byteCount: Int { map(\.byteCount).sizeTogether }
}

extension Sequence<Int> {
    /// The sum of these sizes; at most the largest `Int`, because sparse files can have larger
    /// sums.
    var sizeTogether: Int { reduce(0) { $0.addingUpToMax($1) } }
}

extension FixedWidthInteger {
    func addingUpToMax(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension ImportSource {
    /// Opens the file at `url` to import it.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`, `accessDenied` or
    ///   `ioFailure`.
    init(importing url: URL) throws {
        self = try Self.describing(url) { try ImportSource(at: url, on: LocalFileSystem()) }
    }

    /// Checks that no collection and no item would lose the file at `url` if it is moved.
    ///
    /// - Throws: ``DirectoryError`` with `sourceOwned`, `accessDenied` or `ioFailure`.
    func checkThatNoItemOwnsIt(at url: URL) throws {
        try Self.describing(url) {
            let folder = try openFolder()
            if try AssetOwners.isOfIndex(name, in: folder, on: fileSystem) {
                throw DirectoryError(.sourceOwned, "move", url, "it is a file of a collection")
            }
            if try AssetOwners(of: folder, on: fileSystem).mayOwn(name) {
                throw DirectoryError(
                    .sourceOwned, "move", url, "it is the file of an item of a collection")
            }
        }
    }

    /// The result of `body`; errors of calls on this file become errors of an import of the file at
    /// `url`.
    ///
    /// All other errors stay: they are those of the collection.
    func describingItsErrors<Result>(at url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError where error.path == handle.path {
            throw DirectoryError(error, "import", url)
        }
    }

    private static func describing<Result>(_ url: URL, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let error as FileSystemError {
            let notFile =
                switch error.code {
                case .invalidArgument: ("it is not the URL of a file", "Choose a file.")
                case .isFolder: ("it is a folder", "Import the files in it instead.")
                case .tooManyLinks:
                    ("it is a symbolic link", "Import the file that it leads to instead.")
                // open(2) fails with the last two for a socket, on Linux and on Apple.
                case .notSupported, .noSuchDevice, .operationNotSupported:
                    ("it is not a regular file", "Choose another file.")
                case .noSuchFile, .notFolder:
                    throw DirectoryError(
                        .sourceMissing, "import", url, "the file does not exist",
                        underlying: error)
                case .notPermitted:
                    // The sandbox reports this for files that the user has not picked.
                    throw DirectoryError(
                        .accessDenied, "import", url, error.code.reason, underlying: error,
                        people: .init(usual: .accessDenied))
                default: throw DirectoryError(error, "import", url)
                }
            throw DirectoryError(
                .sourceNotFile, "import", url, notFile.0, people: .init(remedy: notFile.1))
        }
    }
}

extension FileSystem {
    /// Makes the new file `name` with `make`; if that fails, the file is removed.
    func makeFile(_ name: FileName, in folder: Handle, _ make: () throws -> Handle) throws {
        do {
            startWriteback(try make())
        } catch {
            // Best effort: the folder is a stage or a temporary folder, and is emptied later.
            try? removeFile(name, in: folder)
            throw error
        }
    }

    /// Makes the new file `name` with the bytes of `data`.
    func makeFile(
        _ name: FileName, in folder: Handle, mode: UInt16, as protection: DataProtection? = nil,
        with data: Data
    ) throws {
        try makeFile(name, in: folder) {
            let file = try openFile(name, in: folder, for: .create(mode: mode))
            if let protection { try protect(file, mode: mode, as: protection) }
            try data.withUnsafeBytes { try write($0, to: file, at: 0) }
            return file
        }
    }
}
