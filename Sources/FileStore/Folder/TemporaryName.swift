import FileSystem
import Foundation

/// The names of the store's own files: those being written, and folders being deleted.
enum TemporaryName {
    private static let prefix = ".filestore-"

    /// A name that no other file has.
    static func random() throws -> FileName {
        try FileName(validating: prefix + RandomName.digits())
    }

    /// Whether `name` is one that ``random()`` makes, and so never a user's.
    static func matches(_ name: FileName) -> Bool { RandomName.matches(name, prefix: prefix) }
}

extension FileStatus {
    /// In seconds; no write takes so long.
    private static let longestWrite = 86_400.0

    /// Whether a temporary file was left behind by a process that died.
    var isStale: Bool { modificationDate.timeIntervalSinceNow < -Self.longestWrite }
}
