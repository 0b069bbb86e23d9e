import FileSystem
import Foundation

/// The names of the store's own files: those being written, and folders being deleted.
enum TemporaryName {
    private static let prefix = ".filestore-"

    /// A name that no other file has.
    static func random() throws -> FileName {
        try FileName(validating: prefix + RandomName.digits())
    }

    /// Whether ``random()`` can make `name`, so that it is the name of no user's file.
    static func matches(_ name: FileName) -> Bool { RandomName.matches(name, prefix: prefix) }
}

extension FileStatus {
    /// A time in seconds that no write takes.
    private static let longestWrite = 86_400.0

    /// Whether the process that made this temporary file must have died.
    var isStale: Bool { modificationDate.timeIntervalSinceNow < -Self.longestWrite }
}
