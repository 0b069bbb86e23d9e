import FileSystem
import Foundation

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
                case .invalidArgument:
                    ("it is not the URL of a file", "it is not a file", "Choose a file.")
                case _ where error.isOfPathWithoutUTF8:
                    (
                        FileSystemError.isNotUTF8, "its name has characters that no app can read",
                        "Rename it, or its folder, then try again."
                    )
                case .isFolder:
                    ("it is a folder", "it is a folder", "Import the files in it instead.")
                case .tooManyLinks:
                    (
                        "it is a symbolic link", "it is a link",
                        "Import the file that it leads to instead."
                    )
                // open(2) fails with the last two for a socket, on Linux and on Apple.
                case .notSupported, .noSuchDevice, .operationNotSupported:
                    ("it is not a regular file", "it is not a file", "Choose another file.")
                case .noSuchFile, .notFolder:
                    throw DirectoryError(
                        .sourceMissing, "import", url, "the file does not exist",
                        underlying: error)
                case .notPermitted:
                    // The sandbox reports this for files that the user has not picked.
                    throw DirectoryError(
                        .accessDenied, "import", url, error.reason, underlying: error)
                default: throw DirectoryError(error, "import", url)
                }
            throw DirectoryError(
                .sourceNotFile, "import", url, notFile.0,
                people: .init(reason: notFile.1, remedy: notFile.2))
        }
    }
}
