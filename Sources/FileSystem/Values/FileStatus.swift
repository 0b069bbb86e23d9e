/// The status of a file, from stat(2).
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, folder, symbolicLink, other }

    package var kind: Kind
    package var identity: FileIdentity
    /// In bytes.
    package var size: Int
    package var linkCount: Int
    /// The permission bits alone.
    package var mode: UInt16
    /// The time of the last write.
    package var modified: FileTime
    /// The time of the last change of bytes or attributes.
    package var changed: FileTime
    /// When the file was made; nil if the volume does not know.
    package var created: FileTime?
    /// Whether the bytes are only in a cloud, so that a read would download them first.
    package var isDataless: Bool

    package init(
        kind: Kind, identity: FileIdentity, size: Int, linkCount: Int, mode: UInt16,
        modified: FileTime, changed: FileTime, created: FileTime? = nil,
        isDataless: Bool = false
    ) {
        self.kind = kind
        self.identity = identity
        self.size = size
        self.linkCount = linkCount
        self.mode = mode
        self.modified = modified
        self.changed = changed
        self.created = created
        self.isDataless = isDataless
    }
}

/// Tells one file from every other: its device and its inode number.
///
/// A new file can get the inode number of a removed one. The library remembers folders for longer
/// than it keeps them open, so the identity of a folder includes the time when it was made.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    /// When a folder was made, in nanoseconds since 1970 or the nearest number that fits; 0 for
    /// files, and if the volume does not know.
    package var born: Int

    package init(device: UInt64, inode: UInt64, born: Int = 0) {
        self.device = device
        self.inode = inode
        self.born = born
    }
}
