/// The system calls that the stores use, relative to handles of open folders.
///
/// No call knows of commits or items. Every name is one component, so no call leaves its folder.
/// No call follows a symbolic link in its last component, except `openFolder(at:)` and
/// `resolve(_:)`, whose path is the caller's own. Every failure is a ``FileSystemError`` with the
/// system's error number. EINTR is retried, and short writes are completed.
package protocol FileSystem: Sendable {
    /// Opens the folder at an absolute path: open(2) with O_DIRECTORY.
    func openFolder(at path: String) throws -> Handle
    /// Opens the folder at an absolute path, also if the folder above it may not be opened, and follows no
    /// link in its last component: open(2) with O_DIRECTORY and O_NOFOLLOW.
    func openFolderItself(at path: String) throws -> Handle
    /// The absolute path of the folder at `path` without links and dots: realpath(3).
    func resolve(_ path: String) throws -> String
    /// Opens a folder inside `folder`: openat(2) with O_DIRECTORY and O_NOFOLLOW.
    func openFolder(_ name: FileName, in folder: Handle) throws -> Handle
    /// Opens an open folder a second time, with locks of its own: openat(2) of ".".
    func openAgain(_ folder: Handle) throws -> Handle
    /// Opens the folder that `folder` is in now; that of the root is the root: openat(2) of "..".
    func openParent(of folder: Handle) throws -> Handle
    /// Makes a folder with exactly `mode`, whatever the umask: mkdirat(2), then fchmodat(2).
    func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws
    /// The entries of a folder in any order, without `.` and `..`: readdir(3).
    func list(_ folder: Handle) throws -> [FileName]

    /// Opens a regular file inside `folder`: openat(2) with O_NOFOLLOW, checked by fstat(2).
    func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws -> Handle
    /// Opens the regular file at an absolute path for reading, also if its folder may not be opened:
    /// open(2) with O_NOFOLLOW, checked by fstat(2).
    func openFile(at path: String) throws -> Handle
    /// Fills `buffer` with the bytes from `offset`, and returns how many: fewer only at the end
    /// of the file: pread(2).
    func read(_ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws
        -> Int
    /// Writes all of `bytes` at `offset`: pwrite(2).
    func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws
    /// Cuts a file off at `size`, or extends it to `size` with zeros: ftruncate(2).
    func truncate(_ file: Handle, to size: Int) throws
    /// Makes a new file with exactly `mode`, which shares the bytes of `source` if the volume can
    /// do that, and else is empty: fclonefileat(2), or FICLONE of ioctl_ficlone(2).
    ///
    /// A clone is open at least for reading, an empty file also for writing. On Apple a clone has
    /// the extended attributes of its source, but not its flags, its owner or its ACL.
    func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool)
    /// Copies up to `count` bytes at `offset` to the same offset in `to`, and returns how many:
    /// 0 at the end of the file, nil if the kernel cannot copy between the two:
    /// copy_file_range(2).
    func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int?
    /// Puts the written bytes of a file, or the entries of a folder, on stable storage: fsync(2),
    /// on Apple fcntl(2) with F_FULLFSYNC, and fsync(2) on volumes that have no such call.
    func sync(_ handle: Handle) throws
    /// The part of ``sync(_:)`` that takes little time on Apple: the bytes may stay in the cache of
    /// the drive until ``flushDrive(holding:)``: fsync(2). On other systems it is all of it.
    func syncToDrive(_ file: Handle) throws
    /// The other part, for all that was synced to the drive before: fcntl(2) with F_FULLFSYNC on
    /// Apple, nothing on other systems.
    func flushDrive(holding handle: Handle) throws
    /// Puts the written bytes of a file and its size on stable storage, but perhaps not its dates
    /// and its mode, which takes less time if the size is unchanged: fdatasync(2), on Apple the
    /// same as ``sync(_:)``.
    func syncData(_ file: Handle) throws
    /// Begins to write the bytes of a file to stable storage, without waiting, so that a later
    /// sync takes less time; it promises nothing: sync_file_range(2).
    func startWriteback(_ file: Handle)
    /// Gives an open file or folder its permission bits and, on iOS, tvOS and visionOS,
    /// a class of data protection: fchmod(2), fcntl(2) with F_SETPROTECTIONCLASS.
    func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws
    /// Locks a file or folder until the handle is closed, and returns false if another handle has
    /// a lock that excludes this one: flock(2) with LOCK_NB and LOCK_EX, or LOCK_SH if `shared`.
    func tryLock(_ handle: Handle, shared: Bool) throws -> Bool

    /// The status of `name`, nil if it does not exist: fstatat(2) without following links.
    func status(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// The status of `name`, in which `modified` and `changed` can be anything.
    ///
    /// After a program asked for the date of a file, Linux gives the file an exact date at the
    /// next write, instead of one every few milliseconds ("Multigrain Timestamps", kernel
    /// documentation, 6.13). If the file system has no journal of its own, each new date costs
    /// one more write at a sync.
    func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus?
    /// The status of an open file or folder: fstat(2).
    func status(of handle: Handle) throws -> FileStatus
    /// Moves a name, over an existing one only if `replacing`: renameat(2), renameat2(2),
    /// renameatx_np(2).
    ///
    /// Volumes without the latter two (exFAT, SMB, some of FUSE) are first asked whether the name
    /// exists. There the call is not atomic: it replaces a name that is made in between.
    func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool) throws
    /// Exchanges the files or folders of two names, at one moment: renameat2(2) with RENAME_EXCHANGE,
    /// renameatx_np(2) with RENAME_SWAP.
    ///
    /// - Returns: False if the volume has no such call (exFAT, SMB, some of FUSE), and nothing was done.
    func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws -> Bool
    /// Gives a file a second name on the same volume, which must be free: linkat(2).
    func link(_ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle)
        throws
    /// Removes the name of a file or a symbolic link: unlinkat(2).
    func removeFile(_ name: FileName, in folder: Handle) throws
    /// Removes an empty folder: unlinkat(2) with AT_REMOVEDIR.
    func removeFolder(_ name: FileName, in folder: Handle) throws

    /// Calls `changed` soon after each change of the entries `names` of `folder`, or of where the
    /// folder itself is, by any process, until the result is released: inotify(7), on Apple kevent(2)
    /// with EVFILT_VNODE.
    ///
    /// The folder is followed if it is moved. Moves of the folders above it are not noticed. Calls come
    /// on any thread, one at a time, and one call can stand for several changes.
    ///
    /// - Returns: nil if no other process can change this file system.
    /// - Throws: ``FileSystemError`` if the system has no more watches to give, or no events of this
    ///   volume.
    func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch?
}

extension FileSystem {
    /// Takes the exclusive lock of a file until the handle is closed; false if another handle has
    /// it.
    package func tryLock(_ file: Handle) throws -> Bool { try tryLock(file, shared: false) }

    package func syncData(_ file: Handle) throws { try sync(file) }

    package func syncToDrive(_ file: Handle) throws { try sync(file) }

    package func flushDrive(holding handle: Handle) throws {}

    package func openFolderItself(at path: String) throws -> Handle {
        let (parent, name) = try parent(of: path)
        return try openFolder(name, in: parent)
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

    package func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch? { nil }
}
