import Directory
import FileSystem
import Foundation

extension ReplicaError {
    /// Describes a failed call of a replica of the collection at `root` with the folder `shared`.
    ///
    /// It is about the collection if the path is in its folder; else about the shared folder.
    init(_ error: FileSystemError, of root: URL, shared: URL) {
        let (failed, sharedPath) = (names(in: error.path), names(in: shared))
        if error.code == .notFolder, sharedPath.starts(with: failed) {
            self.init(
                .invalidLocation, shared,
                "the shared folder is a file, or below one; take a folder", underlying: error)
            return
        }
        let isOfStore = failed.starts(with: names(in: root.deletingLastPathComponent()))
        let url = isOfStore ? root : shared
        let described = DirectoryError(error, "sync", url)
        let remedy =
            described.remedy.map { ". \($0.hasSuffix(".") ? $0.dropLast() : $0[...])" } ?? ""
        self.init(.ioFailure, url, described.reason + remedy, underlying: error)
    }
}

private func names(in url: URL) -> [Substring] { names(in: url.path(percentEncoded: false)) }

/// The names on the way to a file or folder.
private func names(in path: String) -> [Substring] { path.split(separator: "/") }
