/// The system calls that the stores use, relative to handles of open folders.
///
/// No call knows of commits or items. Every name is one component, so no call leaves its folder.
/// Only `openFolder(at:)` and `resolve(_:)` follow a symbolic link in the last component of their
/// path, which the caller chose. Every failure is a ``FileSystemError`` with the
/// system's error number. EINTR is retried, and short writes are completed.
package protocol FileSystem: Sendable {
    /// Opens the folder at an absolute path: open(2) with O_DIRECTORY.
    func openFolder(at path: String) throws -> Handle
    /// Opens the folder at an absolute path, also if this process may not open the folder above it; a
    /// link in the last component is refused: open(2) with O_DIRECTORY and O_NOFOLLOW.
    func openFolderItself(at path: String) throws -> Handle
    /// The names from the root to the folder at `path`, without links and dots: realpath(3).
    func resolve(_ path: String) throws -> [FileName]
    /// Opens a folder inside `folder`, nil if it does not exist: openat(2) with O_DIRECTORY and O_NOFOLLOW.
    func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle?
    /// Opens the folder that holds `folder` now, for the root the root itself: openat(2) of "..".
    func openParent(of folder: Handle) throws -> Handle
    /// Makes a folder with exactly `mode`, regardless of the umask: mkdirat(2), then fchmodat(2).
    func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws
    /// The entries of a folder in any order, without `.` and `..`: readdir(3).
    func list(_ folder: Handle) throws -> [FileName]

    /// Opens a regular file inside `folder`, nil if it does not exist and `access` does not make it: openat(2) with
    /// O_NOFOLLOW, checked by fstat(2).
    func openFileIfPresent(_ name: FileName, in folder: Handle, for access: FileAccess) throws
        -> Handle?
    /// Opens the regular file at an absolute path for reading, also if this process may not open its
    /// folder: open(2) with O_NOFOLLOW, checked by fstat(2).
    func openFile(at path: String) throws -> Handle
    /// Fills `buffer` with the bytes from `offset`, and returns their number, which is smaller than
    /// the buffer only at the end of the file: pread(2).
    func read(_ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws
        -> Int
    /// Writes all of `bytes` at `offset`: pwrite(2).
    func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws
    /// Cuts a file off at `size`, or extends it to `size` with zeros: ftruncate(2).
    func truncate(_ file: Handle, to size: Int) throws
    /// Makes a new file with exactly `mode`: a clone that shares the bytes of `source` if the volume can
    /// do that, else an empty file: fclonefileat(2), or FICLONE of ioctl_ficlone(2).
    ///
    /// A clone is open at least for reading, an empty file also for writing. On Apple a clone has
    /// the extended attributes of its source, but not its flags, its owner or its ACL.
    func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool)
    /// Copies up to `count` bytes at `offset` to the same offset in `to`, and returns the number of
    /// copied bytes, 0 at the end of the file; nil if the kernel cannot copy between the two files:
    /// copy_file_range(2).
    func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int?
    /// Puts the written bytes of a file, or the entries of a folder, on stable storage: fsync(2),
    /// on Apple fcntl(2) with F_FULLFSYNC, and fsync(2) on volumes that have no such call.
    func sync(_ handle: Handle) throws
    /// Passes the written bytes or entries to the drive: fsync(2). On Apple this takes less time than
    /// ``sync(_:)``, because they may stay in the cache of the drive until ``flushDrive(holding:)``. On
    /// other systems it does the same as ``sync(_:)``.
    func syncToDrive(_ file: Handle) throws
    /// Does what ``syncToDrive(_:)`` does with files and folders of one volume, side by side: they share commits of the
    /// volume's journal.
    func syncToDrive(_ handles: [Handle]) throws
    /// Puts on stable storage everything that ``syncToDrive(_:)`` passed to the drive before: fcntl(2)
    /// with F_FULLFSYNC on Apple. Does nothing on other systems, and on volumes that have no such call.
    func flushDrive(holding handle: Handle) throws
    /// Puts the written bytes of a file and its size on stable storage, but perhaps not its dates
    /// and its mode: fdatasync(2), on Apple the same as ``sync(_:)``. If the size is unchanged, this
    /// takes less time than ``sync(_:)``.
    func syncData(_ file: Handle) throws
    /// Does what ``syncData(_:)`` does with files of one volume, side by side; on Apple the drive is flushed once.
    ///
    /// If the power fails before this returns, any of them can be durable without the others.
    func syncData(_ files: [Handle]) throws
    /// Begins to write the bytes of a file to stable storage, without waiting, so that a later
    /// sync takes less time: sync_file_range(2). The bytes are not durable when it returns.
    func startWriteback(_ file: Handle)
    /// Gives an open file or folder its permission bits and, on iOS, tvOS and visionOS,
    /// a class of data protection: fchmod(2), fcntl(2) with F_SETPROTECTIONCLASS.
    func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws
    /// Locks a file or folder until it is unlocked or the handle is closed, and returns false if another handle has
    /// a lock that excludes this one: flock(2) with LOCK_NB and LOCK_EX, or LOCK_SH if `shared`.
    func tryLock(_ handle: Handle, shared: Bool) throws -> Bool
    /// Releases the lock of a handle: flock(2) with LOCK_UN.
    func unlock(_ handle: Handle) throws

    /// The status of `name`, nil if it does not exist: fstatat(2) without following links.
    func status(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// The status of `name`; its `modified` and `changed` may be wrong.
    ///
    /// If a program has read the dates of a file, Linux gives the file an exact date at the
    /// next write; otherwise dates change only every few milliseconds ("Multigrain Timestamps",
    /// kernel documentation, 6.13). If the file system has no journal of its own, each new date costs
    /// one more write at a sync.
    func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// The status of the folder at an absolute path, nil if it does not exist; a link in the last component is
    /// followed only if `followingLink`: fstatat(2).
    func statusOfFolder(at path: String, followingLink: Bool) throws -> FileStatus?
    /// The status of an open file or folder: fstat(2).
    func status(of handle: Handle) throws -> FileStatus
    /// The status of an open file or folder; its `modified` and `changed` may be wrong.
    func undatedStatus(of handle: Handle) throws -> FileStatus
    /// Whether no two changes get the same time. Volumes round times, so it is false for files on a disk.
    var timesAreExact: Bool { get }
    /// Moves a file or folder to a new name, and replaces an existing one only if `replacing`:
    /// renameat(2), else renameat2(2) or renameatx_np(2).
    ///
    /// If the volume has no call that refuses to replace (exFAT, SMB, some of FUSE), the new name is
    /// looked up first. Then the move is not atomic: it replaces a file that is made after the look-up.
    func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool) throws
    /// Exchanges the files or folders of two names atomically: renameat2(2) with RENAME_EXCHANGE,
    /// renameatx_np(2) with RENAME_SWAP.
    ///
    /// - Returns: False if the volume has no such call (exFAT, SMB, some of FUSE); then nothing has changed.
    func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws -> Bool
    /// Gives a file a second name on the same volume, which must be free: linkat(2).
    func link(_ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle)
        throws
    /// Removes the name of a file or a symbolic link: unlinkat(2).
    func removeFile(_ name: FileName, in folder: Handle) throws
    /// Removes an empty folder: unlinkat(2) with AT_REMOVEDIR.
    func removeFolder(_ name: FileName, in folder: Handle) throws

    /// Watches the entries `names` of `folder`, and the folder itself, until the result is released:
    /// inotify(7), on Apple kevent(2) with EVFILT_VNODE.
    ///
    /// Calls `changed` soon after any process changes one of the entries, or moves or removes the folder.
    /// A folder that was moved is still watched. Moves of the folders above it are not noticed. Calls come
    /// on any thread, one at a time, and one call can stand for several changes.
    ///
    /// - Returns: nil if no other process can change this file system.
    /// - Throws: ``FileSystemError`` if the process has as many watches as the system allows, or if the
    ///   volume has no events.
    func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch?
}

extension FileSystem {
    /// Opens a folder inside `folder`, which must exist.
    package func openFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        if let found = try openFolderIfPresent(name, in: folder) { return found }
        throw FileSystemError("open folder", folder.path(of: name), .noSuchFile)
    }

    /// Opens a regular file inside `folder`, which must exist unless `access` makes it.
    package func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws
        -> Handle
    {
        if let file = try openFileIfPresent(name, in: folder, for: access) { return file }
        throw FileSystemError("open", folder.path(of: name), .noSuchFile)
    }

    /// Takes the exclusive lock of a file; false if another handle has a lock of the file.
    package func tryLock(_ file: Handle) throws -> Bool { try tryLock(file, shared: false) }

    package func syncData(_ file: Handle) throws { try sync(file) }

    package func syncData(_ files: [Handle]) throws { for file in files { try syncData(file) } }

    package func syncToDrive(_ file: Handle) throws { try sync(file) }

    package func syncToDrive(_ handles: [Handle]) throws { try handles.forEach(syncToDrive) }

    package func flushDrive(holding handle: Handle) throws {}

    package func openFolderItself(at path: String) throws -> Handle {
        let (parent, name) = try parent(of: path)
        return try openFolder(name, in: parent)
    }

    package func statusOfFolder(at path: String, followingLink: Bool) throws -> FileStatus? {
        try unlessMissing {
            try status(of: followingLink ? openFolder(at: path) : openFolderItself(at: path))
        }
    }

    package func openFile(at path: String) throws -> Handle {
        let (parent, name) = try parent(of: path)
        return try openFile(name, in: parent, for: .read)
    }

    private func parent(of path: String) throws -> (Handle, FileName) {
        let parts = path.split(separator: "/")
        let parent = try openFolder(at: "/" + parts.dropLast().joined(separator: "/"))
        return (parent, try FileName(validating: String(parts.last ?? "")))
    }

    package func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder)
    }

    package func undatedStatus(of handle: Handle) throws -> FileStatus { try status(of: handle) }

    package func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch? { nil }
}
