import CPosix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file system of this machine, by POSIX calls.
package struct LocalFileSystem: FileSystem {
    package init() {}

    package func openFolder(at path: String) throws -> Handle {
        try open(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY, "open folder", path)
    }

    package func openFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        try open(
            name.cString, in: folder.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
            "open folder", folder.path(of: name))
    }

    package func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        _ = try call("make folder", folder.path(of: name)) {
            mkdirat(folder.descriptor, name.cString, mode_t(mode) & 0o700)
        }
        let made = try openFolder(name, in: folder)
        _ = try call("set the mode of", made.path) { fchmod(made.descriptor, mode_t(mode)) }
    }

    package func list(_ folder: Handle) throws -> [FileName] {
        // A descriptor of its own, because the position of readdir(3) belongs to the open file.
        let descriptor = try call("list", folder.path) {
            openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = fdopendir(descriptor) else {
            let code = Errno(rawValue: errno)
            close(descriptor)
            throw FileSystemError("list", folder.path, code)
        }
        defer { closedir(stream) }
        var names: [FileName] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } + [] }
            if let name = FileName(bytes: bytes) { names.append(name) }
        }
        guard errno == 0 else { throw FileSystemError("list", folder.path, Errno(rawValue: errno)) }
        return names
    }

    package func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws
        -> Handle
    {
        let path = folder.path(of: name)
        let (flags, mode) = access.openFlags
        // O_NONBLOCK: opening a FIFO must not wait for its other end before the check below.
        let file = try open(
            name.cString, in: folder.descriptor, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o600,
            "open", path)
        let found = try status(of: file)
        guard found.kind == .file else {
            throw FileSystemError("open", path, found.kind == .folder ? .isFolder : .notSupported)
        }
        if let mode, found.mode != mode, found.size == 0 {
            _ = try call("set the mode of", path) { fchmod(file.descriptor, mode_t(mode)) }
        }
        return file
    }

    package func sync(_ handle: Handle) throws {
        #if canImport(Darwin)
            _ = try call("sync", handle.path) { fcntl(handle.descriptor, F_FULLFSYNC) }
        #else
            _ = try call("sync", handle.path) { fsync(handle.descriptor) }
        #endif
    }

    package func tryLock(_ file: Handle) throws -> Bool {
        do {
            _ = try call("lock", file.path) { flock(file.descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch let error as FileSystemError where error.code.rawValue == EWOULDBLOCK {
            return false
        }
    }
}

extension LocalFileSystem {
    /// Opens by openat(2), always with O_CLOEXEC.
    private func open(
        _ name: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, mode: mode_t = 0,
        _ operation: String, _ path: String
    ) throws -> Handle {
        let descriptor = try call(operation, path) {
            openat(folder, name, flags | O_CLOEXEC, mode)
        }
        return Handle(descriptor: descriptor, path: path) { close($0) }
    }

    /// The result of a system call, again while a signal interrupts it, thrown as an error at -1.
    func call<Result: SignedInteger>(
        _ operation: String, _ path: @autoclosure () -> String, _ body: () -> Result
    ) throws -> Result {
        while true {
            let result = body()
            if result != -1 { return result }
            let code = errno
            if code != EINTR { throw FileSystemError(operation, path(), Errno(rawValue: code)) }
        }
    }
}

extension FileName {
    /// The name as the system's calls take it; valid names hold no NUL, so it is all of it.
    var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }
}

extension FileAccess {
    /// The flags of open(2), and the mode that a new file must have.
    fileprivate var openFlags: (Int32, mode: UInt16?) {
        switch self {
        case .read: (O_RDONLY, nil)
        case .update: (O_RDWR, nil)
        case .create(let mode): (O_RDWR | O_CREAT | O_EXCL, mode)
        case .openOrCreate(let mode): (O_RDWR | O_CREAT, mode)
        }
    }
}
