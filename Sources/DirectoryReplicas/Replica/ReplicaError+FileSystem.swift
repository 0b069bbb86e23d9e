import Directory
import FileSystem
import Foundation

extension ReplicaError {
    /// Describes a failed call of a replica with the folder `shared`.
    init(_ error: FileSystemError, shared: URL) {
        let isOnTheWay = names(in: shared.path(percentEncoded: false)).starts(
            with: names(in: error.path))
        if error.code == .notFolder, isOnTheWay {
            self.init(
                .invalidLocation, shared,
                "the shared folder is a file, or below one; take a folder",
                underlying: error)
        } else {
            self.init(.ioFailure, shared, error.description, underlying: error)
        }
    }
}

/// The names on the way to a file or folder.
private func names(in path: String) -> [Substring] { path.split(separator: "/") }
