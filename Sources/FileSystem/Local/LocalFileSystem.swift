import CPosix
import Synchronization

#if os(watchOS)
    #error("watchOS is not supported: many watches have integers of 32 bits.")
#endif

/// The file system of the machine, through POSIX calls.
package struct LocalFileSystem: FileSystem {
    let calls: VolumeCalls

    /// Creates the file system; only tests replace the calls of the system.
    package init(calls: VolumeCalls = .system) { self.calls = calls }

    package var timesAreExact: Bool { false }

    package func openFolder(at path: String) throws -> Handle {
        guard !path.utf8.contains(0) else {
            throw FileSystemError("open folder", path, .invalidArgument)
        }
        return try open(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY, "open folder", path)
    }

    package func openFolderItself(at path: String) throws -> Handle {
        guard !path.utf8.contains(0) else {
            throw FileSystemError("open folder", path, .invalidArgument)
        }
        return try open(
            path.withoutSlashesAtEnd, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
            "open folder", path)
    }

    package func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle? {
        try openIfPresent(
            name.cString, in: folder.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
            "open folder", folder.path(of: name))
    }

    package func openParent(of folder: Handle) throws -> Handle {
        let path = folder.path.split(separator: "/").dropLast().joined(separator: "/")
        return try open(
            "..", in: folder.descriptor, O_RDONLY | O_DIRECTORY, "open folder", "/\(path)")
    }

    package func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        _ = try call("make folder", folder.path(of: name)) {
            mkdirat(folder.descriptor, name.cString, mode_t(mode))
        }
        // The mode differs only if the umask has cleared bits. Another process may have removed the folder.
        guard let made = try status(of: name, in: folder), made.mode != mode else { return }
        do {
            // By name, because the umask can make a folder that its owner cannot open.
            _ = try call("set the mode of", folder.path(of: name)) {
                calls.setMode(folder.descriptor, name.cString, mode_t(mode), AT_SYMLINK_NOFOLLOW)
            }
        } catch let error as FileSystemError where error.code.meansUnsupported {
            // On a Linux before 6.6, the C library needs /proc to follow no link, and not every container has it. Nobody
            // puts a link in place of a folder that was made just now.
            guard made.kind == .folder else { throw error }
            _ = try call("set the mode of", folder.path(of: name)) {
                calls.setMode(folder.descriptor, name.cString, mode_t(mode), 0)
            }
        }
    }

    package func list(_ folder: Handle) throws -> [FileName] {
        // A new open file, because descriptors of one open file share the position of readdir(3).
        let descriptor = try call("list", folder.path) {
            posix_open_at(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard let stream = fdopendir(descriptor) else {
            let code = Errno.last
            close(descriptor)
            throw FileSystemError("list", folder.path, code)
        }
        defer { closedir(stream) }
        var names: [FileName] = []
        while true {
            posix_clear_errno()
            guard let entry = readdir(stream) else { break }
            // An entry can be shorter than `dirent`: only the bytes up to the NUL may be read.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
            if let name = FileName(bytes: bytes) { names.append(name) }
        }
        guard posix_errno() == 0 else { throw FileSystemError("list", folder.path, .last) }
        return names
    }

    package func openFileIfPresent(
        _ name: FileName, in folder: Handle, for access: FileAccess
    ) throws -> Handle? {
        switch access {
        case .read: return try openFileIfPresent(name, in: folder, O_RDONLY)
        case .update: return try openFileIfPresent(name, in: folder, O_RDWR)
        case .create(let mode): return try createFile(name, in: folder, mode: mode)
        case .openOrCreate(let mode):
            // O_CREAT alone does not tell whether the file is new: a new file needs `mode`, an
            // existing one keeps its own.
            if let file = try openFileIfPresent(name, in: folder, O_RDWR) { return file }
            do {
                return try createFile(name, in: folder, mode: mode)
            } catch let error as FileSystemError where error.code == .fileExists {
                // Another process made it first.
                return try openFile(name, in: folder, for: .update)
            }
        }
    }

    package func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws {
        // The class of a read-only file cannot be set: F_SETPROTECTIONCLASS asks for the permission
        // to write (kern_descrip.c in Apple's xnu).
        let modes = mode & 0o200 == 0 ? [mode | 0o200, mode] : [mode]
        for (number, mode) in modes.enumerated() {
            _ = try call("set the mode of", handle.path) { fchmod(handle.descriptor, mode_t(mode)) }
            if number > 0 { return }
            do {
                _ = try call("protect", handle.path) {
                    posix_protect(handle.descriptor, protection.rawValue)
                }
            } catch let error as FileSystemError where error.code.meansUnsupported {
                // The volume has no classes of protection, such as the volume of a simulator.
            }
        }
    }

    package func tryLock(_ handle: Handle, shared: Bool) throws -> Bool {
        do {
            _ = try call("lock", handle.path) {
                flock(handle.descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
            }
            if handle.locker.load(ordering: .relaxed) == 0 {
                handle.locker.store(getpid(), ordering: .relaxed)
            }
            return true
        } catch let error as FileSystemError where error.code.rawValue == EWOULDBLOCK {
            return false
        }
    }

    package func unlock(_ handle: Handle) throws {
        _ = try call("unlock", handle.path) { flock(handle.descriptor, LOCK_UN) }
    }
}

extension LocalFileSystem {
    package func openFile(at path: String) throws -> Handle {
        guard !path.utf8.contains(0) else { throw FileSystemError("open", path, .invalidArgument) }
        if let file = try openRegularFile(path, in: AT_FDCWD, O_RDONLY, path) { return file }
        throw FileSystemError("open", path, .noSuchFile)
    }

    private func openFileIfPresent(_ name: FileName, in folder: Handle, _ flags: Int32) throws
        -> Handle?
    {
        try openRegularFile(name.cString, in: folder.descriptor, flags, folder.path(of: name))
    }

    /// Opens a regular file, nil if it does not exist.
    private func openRegularFile(
        _ name: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, _ path: String
    ) throws -> Handle? {
        // O_NONBLOCK, because opening a FIFO would wait for its other end before the check below.
        guard
            let file = try openIfPresent(
                name, in: folder, flags | O_NOFOLLOW | O_NONBLOCK, "open", path)
        else { return nil }
        let kind = try status(of: file).kind
        guard kind == .file else {
            throw FileSystemError("open", path, kind == .folder ? .isFolder : .notSupported)
        }
        return file
    }

    /// Makes a new file, open for reading and writing.
    func createFile(_ name: FileName, in folder: Handle, mode: UInt16) throws -> Handle {
        let file = try open(
            name.cString, in: folder.descriptor, O_RDWR | O_CREAT | O_EXCL, mode: mode_t(mode),
            "open", folder.path(of: name))
        // The mode differs only if the umask has cleared bits.
        if try status(of: file).mode == mode { return file }
        _ = try call("set the mode of", file.path) { fchmod(file.descriptor, mode_t(mode)) }
        return file
    }

    /// Opens a name, or makes it if `flags` say so: see ``openIfPresent(_:in:_:mode:_:_:)``.
    private func open(
        _ name: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, mode: mode_t = 0,
        _ operation: String, _ path: String
    ) throws -> Handle {
        if let handle = try openIfPresent(name, in: folder, flags, mode: mode, operation, path) {
            return handle
        }
        throw FileSystemError(operation, path, .noSuchFile)
    }

    /// Opens a name with openat(2) and O_CLOEXEC; nil if it is missing, because many files may be.
    private func openIfPresent(
        _ name: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, mode: mode_t = 0,
        _ operation: String, _ path: @autoclosure () -> String
    ) throws -> Handle? {
        let missing: Int32 = -2
        var descriptor = try call(operation, path()) {
            let descriptor = posix_open_at(folder, name, flags | O_CLOEXEC, mode)
            return descriptor == -1 && posix_errno() == ENOENT ? missing : descriptor
        }
        if descriptor == missing { return nil }
        // If a standard descriptor is closed, a file could get it; then the process would print
        // into the file.
        if descriptor <= STDERR_FILENO {
            let standard = descriptor
            defer { close(standard) }
            descriptor = try call(operation, path()) {
                posix_duplicate(standard, STDERR_FILENO + 1)
            }
        }
        return Handle(descriptor: descriptor, path: path()) { descriptor, locker in
            // A child process has copies of all descriptors until its program starts, and they keep a lock that is not
            // released before; a child that was forked must not release the lock of its parent.
            if locker != 0, locker == getpid() { flock(descriptor, LOCK_UN) }
            close(descriptor)
        }
    }

    /// The result of a system call, after repeating it while signals interrupt it.
    ///
    /// - Throws: ``FileSystemError`` with errno(3) if the result is -1.
    func call<Result: SignedInteger>(
        _ operation: String, _ path: @autoclosure () -> String, _ body: () -> Result
    ) throws -> Result {
        while true {
            let result = body()
            if result != -1 { return result }
            let code = Errno.last
            if code.rawValue != EINTR { throw FileSystemError(operation, path(), code) }
        }
    }
}

extension String {
    /// A path without the slashes at its end, because of which the system would follow a link.
    var withoutSlashesAtEnd: String {
        let rest = reversed().drop { $0 == "/" }.reversed()
        return rest.isEmpty ? self : String(rest)
    }
}

extension FileName {
    /// Calls `body` with the name and a terminating NUL, without an allocation.
    func withCString<Result>(_ body: (UnsafePointer<CChar>?) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { buffer in
            _ = buffer.initialize(from: bytes)
            buffer[bytes.count] = 0
            return try UnsafeRawBufferPointer(buffer).withMemoryRebound(to: CChar.self) {
                try body($0.baseAddress)
            }
        }
    }

    /// The name with a terminating NUL, as system calls take it; a valid name has no other NUL.
    var cString: [CChar] {
        [CChar](unsafeUninitializedCapacity: bytes.count + 1) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
            buffer[bytes.count] = 0
            count = bytes.count + 1
        }
    }
}
