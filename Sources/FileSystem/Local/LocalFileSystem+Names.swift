import CPosix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LocalFileSystem {
    package func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder, isDated: true)
    }

    package func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder, isDated: false)
    }

    private func status(of name: FileName, in folder: Handle, isDated: Bool) throws
        -> FileStatus?
    {
        var (found, created) = (stat(), timespec())
        var isMissing = false
        _ = try call("look at", folder.path(of: name)) {
            let result = posix_status(
                folder.descriptor, name.cString, isDated ? 1 : 0, &found, &created)
            isMissing = result == -1 && errno == ENOENT
            return isMissing ? 0 : result
        }
        return isMissing ? nil : FileStatus(found, created: created)
    }

    package func status(of handle: Handle) throws -> FileStatus {
        var (found, created) = (stat(), timespec())
        _ = try call("look at", handle.path) {
            posix_status(handle.descriptor, nil, 1, &found, &created)
        }
        return FileStatus(found, created: created)
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        let (from, to) = (name.cString, newName.cString)
        _ = try call("move \(folder.path(of: name)) to", newFolder.path(of: newName)) {
            replacing
                ? renameat(folder.descriptor, from, newFolder.descriptor, to)
                : posix_rename_exclusive(folder.descriptor, from, newFolder.descriptor, to)
        }
    }

    package func link(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle
    ) throws {
        _ = try call("link \(folder.path(of: name)) to", newFolder.path(of: newName)) {
            linkat(
                folder.descriptor, name.cString, newFolder.descriptor, newName.cString, 0)
        }
    }

    package func resolve(_ path: String) throws -> String {
        // realpath(3) accepts files too, but only a folder may be resolved.
        _ = try openFolder(at: path)
        guard let resolved = realpath(path, nil) else {
            throw FileSystemError("resolve", path, Errno(rawValue: errno))
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package func removeFile(_ name: FileName, in folder: Handle) throws {
        try unlink(name, in: folder, flags: 0)
    }

    package func removeFolder(_ name: FileName, in folder: Handle) throws {
        try unlink(name, in: folder, flags: AT_REMOVEDIR)
    }

    private func unlink(_ name: FileName, in folder: Handle, flags: Int32) throws {
        _ = try call("remove", folder.path(of: name)) {
            unlinkat(folder.descriptor, name.cString, flags)
        }
    }
}

extension FileStatus {
    fileprivate init(_ found: stat, created: timespec) {
        let kind: Kind =
            switch found.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        #if canImport(Darwin)
            let (modified, changed) = (found.st_mtimespec, found.st_ctimespec)
        #else
            let (modified, changed) = (found.st_mtim, found.st_ctim)
        #endif
        let madeAt = created.tv_nsec < 0 ? nil : FileTime(created)
        self.init(
            kind: kind,
            identity: FileIdentity(
                device: UInt64(truncatingIfNeeded: found.st_dev),
                inode: UInt64(truncatingIfNeeded: found.st_ino),
                born: kind == .folder ? madeAt?.nanosecondsSince1970 ?? 0 : 0),
            size: Int(found.st_size), linkCount: Int(found.st_nlink),
            mode: UInt16(found.st_mode & 0o7777), modified: FileTime(modified),
            changed: FileTime(changed),
            created: madeAt)
    }
}

extension FileTime {
    fileprivate init(_ time: timespec) {
        self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
