import FileSystem
import Foundation

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
