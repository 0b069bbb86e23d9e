/// The system calls that the stores are made of, relative to handles of open folders.
///
/// Nothing here knows of commits or items. Every name is one component, so no call can leave its
/// folder, and no call follows a symbolic link in its last component, except `openFolder(at:)`,
/// whose path is the caller's own. Every failure is a ``FileSystemError`` with the system's
/// error number; EINTR is retried and short writes are finished before a call returns.
package protocol FileSystem: Sendable {
    /// Opens the folder at an absolute path: open(2) with O_DIRECTORY.
    func openFolder(at path: String) throws -> Handle
    /// The absolute path of the folder at `path` without links and dots: realpath(3).
    func resolve(_ path: String) throws -> String
    /// Opens a folder inside `folder`: openat(2) with O_DIRECTORY and O_NOFOLLOW.
    func openFolder(_ name: FileName, in folder: Handle) throws -> Handle
    /// Makes a folder: mkdirat(2), then fchmodat(2), so that the umask has no say.
    func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws
    /// The entries of a folder in no order, without `.` and `..`: readdir(3).
    func list(_ folder: Handle) throws -> [FileName]

    /// Opens a regular file inside `folder`: openat(2) with O_NOFOLLOW, checked by fstat(2).
    func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws -> Handle
    /// Reads up to a buffer's size of bytes from `offset`, fewer only at the end: pread(2).
    func read(_ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws
        -> Int
    /// Writes all of `bytes` at `offset`: pwrite(2).
    func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws
    /// Cuts a file off at `size`, or fills it up to there with zeros: ftruncate(2).
    func truncate(_ file: Handle, to size: Int) throws
    /// Makes `to`, an empty file, share the bytes of `from`, and returns false where the volume
    /// cannot: FICLONE of ioctl_ficlone(2).
    func clone(_ from: Handle, to: Handle) throws -> Bool
    /// Copies up to `count` bytes at `offset` to the same offset in `to` and returns how many,
    /// 0 at the end: copy_file_range(2).
    func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int
    /// Puts what was written to a file, or the entries of a folder, on stable storage: fsync(2),
    /// on Apple fcntl(2) with F_FULLFSYNC.
    func sync(_ handle: Handle) throws
    /// Puts what was written to a file on stable storage, with its size, but perhaps without its
    /// dates and its mode, which is shorter where the size has not changed: fdatasync(2), on
    /// Apple the same as ``sync(_:)``.
    func syncData(_ file: Handle) throws
    /// Begins to put what was written to a file on stable storage, and does not wait; promises
    /// nothing, but makes a later sync short: sync_file_range(2).
    func startWriteback(_ file: Handle)
    /// Gives an open file or folder its permission bits, and on iOS and its kin a class of data
    /// protection: fchmod(2), fcntl(2) with F_SETPROTECTIONCLASS.
    func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws
    /// Takes the exclusive lock of a file until its handle goes, or returns false where another
    /// handle holds it: flock(2) with LOCK_EX and LOCK_NB.
    func tryLock(_ file: Handle) throws -> Bool

    /// What lies under `name`, nil where nothing does: fstatat(2) without following links.
    func status(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// The same, but `modified` and `changed` can be anything.
    ///
    /// Linux gives a file a new date at the next write once the last one was asked for, and else
    /// only every few milliseconds ("Multigrain Timestamps", kernel documentation, 6.13). Where
    /// the file system has no journal of its own, each new date is a write more at a sync.
    func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// What an open handle refers to: fstat(2).
    func status(of handle: Handle) throws -> FileStatus
    /// Moves a name, over an existing one only where `replacing`: renameat(2), renameat2(2).
    func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool) throws
    /// Gives a file a second name on the same volume, which must be free: linkat(2).
    func link(_ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle)
        throws
    /// Removes the name of a file or a symbolic link: unlinkat(2).
    func removeFile(_ name: FileName, in folder: Handle) throws
    /// Removes an empty folder: unlinkat(2) with AT_REMOVEDIR.
    func removeFolder(_ name: FileName, in folder: Handle) throws
}

/// What a file is opened for.
package enum FileAccess: Sendable, Hashable {
    /// An existing file, to read.
    case read
    /// An existing file, to read and write.
    case update
    /// A new file, to read and write; fails where the name is taken.
    case create(mode: UInt16)
    /// An existing file or a new one, to read and write.
    case openOrCreate(mode: UInt16)
}

/// When the bytes of a file can be read, by Apple's classes of data protection.
package enum DataProtection: Int32, Sendable, Hashable {
    /// While the device is unlocked.
    case complete = 1
    /// While the device is unlocked, and after that for who has the file open.
    case completeUnlessOpen = 2
    /// From the first time that the device is unlocked.
    case completeUntilFirstUserAuthentication = 3
    /// Always.
    case none = 4
}

/// An open file or folder, closed when the last reference goes.
package final class Handle: Sendable {
    /// The file system's own number for the open file.
    package let descriptor: Int32
    /// Where the file was when it was opened, for messages.
    package let path: String
    private let onClose: @Sendable (Int32) -> Void

    package init(descriptor: Int32, path: String, onClose: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.path = path
        self.onClose = onClose
    }

    deinit { onClose(descriptor) }

    /// The path of `name` inside this folder, for messages.
    package func path(of name: FileName) -> String {
        path.hasSuffix("/") ? path + name.string : path + "/" + name.string
    }
}

/// What stat(2) tells of a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, folder, symbolicLink, other }

    package var kind: Kind
    package var identity: FileIdentity
    /// In bytes.
    package var size: Int
    package var linkCount: Int
    /// The permission bits alone.
    package var mode: UInt16
    /// The time of the last write, in nanoseconds since 1970.
    package var modified: Int
    /// The time of the last change of bytes or attributes, in nanoseconds since 1970.
    package var changed: Int
    /// When the file was made, in nanoseconds since 1970; nil where the volume does not know.
    package var created: Int?

    package init(
        kind: Kind, identity: FileIdentity, size: Int, linkCount: Int, mode: UInt16, modified: Int,
        changed: Int, created: Int? = nil
    ) {
        self.kind = kind
        self.identity = identity
        self.size = size
        self.linkCount = linkCount
        self.mode = mode
        self.modified = modified
        self.changed = changed
        self.created = created
    }
}

/// What tells one file from every other: its device and its inode number.
///
/// An inode number is given again once its file is gone, so a folder, which is remembered for
/// longer than it is open, is told apart by the time it was made as well.
package struct FileIdentity: Hashable, Sendable, Comparable {
    package var device: UInt64
    package var inode: UInt64
    /// When a folder was made, in nanoseconds since 1970; 0 for files, and where nobody knows.
    package var born: Int

    package init(device: UInt64, inode: UInt64, born: Int = 0) {
        self.device = device
        self.inode = inode
        self.born = born
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.device, left.inode) < (right.device, right.inode)
    }
}
