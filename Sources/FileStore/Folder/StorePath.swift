import FileSystem

/// A path that cannot leave its store, valid by construction.
struct StorePath: Sendable {
    let names: [FileName]
    let string: String

    /// The largest number of names in a path, because a call can have an open folder for each.
    static let maximumDepth = 64
    /// In bytes; the longest path on Apple's systems (PATH_MAX).
    static let maximumLength = 1024

    /// Creates a path from `string`, or throws `invalidPath`.
    init(_ string: String) throws {
        guard !string.isEmpty else { throw Self.invalid(string, "it is empty") }
        guard string.utf8.count <= Self.maximumLength else {
            throw Self.invalid(string, "it is longer than \(Self.maximumLength) bytes")
        }
        let parts = string.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumDepth else {
            throw Self.invalid(string, "it has more than \(Self.maximumDepth) parts")
        }
        names = try parts.map { part in
            guard let name = FileName(bytes: Array(part)) else {
                throw Self.invalid(
                    string,
                    "each part must be 1 to 255 bytes without NUL, and not \".\" or \"..\"")
            }
            guard !TemporaryName.matches(name) else {
                throw Self.invalid(string, "the name is reserved for the store's own files")
            }
            return name
        }
        self.string = string
    }

    /// The file's own name.
    var name: FileName { names[names.count - 1] }
    /// The names of the folders that lead to the file.
    var folders: ArraySlice<FileName> { names.dropLast() }

    /// The first `count` names of the path.
    func prefix(_ count: Int) -> String {
        string.split(separator: "/").prefix(count).joined(separator: "/")
    }

    private static func invalid(_ path: String, _ reason: String) -> FileStoreError {
        .invalidPath(path: path, reason: reason)
    }
}
