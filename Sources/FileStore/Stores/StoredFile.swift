public import Foundation

/// Describes a file or folder of a store.
public struct StoredFile: Sendable, Equatable {
    /// The path in the store: "avatars/photo.jpg".
    public let relativePath: String
    /// The size in bytes; 0 for a folder.
    public let size: UInt64
    /// When the file was made; nil if the volume does not know.
    ///
    /// A save makes a new file. A moved file keeps the date of its source, and so does a copy that
    /// shares the bytes of its source on Apple.
    public let createdAt: Date?
    /// When the bytes of the file, or the entries of the folder, last changed.
    public let modifiedAt: Date?
    /// Whether this is a folder.
    public let isDirectory: Bool
    private let root: URL

    /// Creates a description, for your own types of stores.
    ///
    /// - Parameters:
    ///   - relativePath: The path in the store.
    ///   - root: The URL of the store's folder.
    ///   - size: The size in bytes.
    ///   - createdAt: When the file was made, if that is known.
    ///   - modifiedAt: When the file was last changed, if that is known.
    ///   - isDirectory: Whether this is a folder.
    public init(
        relativePath: String, root: URL, size: UInt64, createdAt: Date? = nil,
        modifiedAt: Date? = nil, isDirectory: Bool = false
    ) {
        self.relativePath = relativePath
        self.root = root
        self.size = size
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.isDirectory = isDirectory
    }

    /// The last component of the path: "photo.jpg".
    public var name: String {
        relativePath.split(separator: "/").last.map(String.init) ?? relativePath
    }

    /// The absolute file URL.
    public var url: URL { root.appending(path: relativePath, directoryHint: .notDirectory) }
}
