import CPosix

extension LocalFileSystem {
    package func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder, isDated: true)
    }

    package func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder, isDated: false)
    }

    package func statusOfFolder(at path: String, followingLink: Bool) throws -> FileStatus? {
        let name = followingLink ? path : path.withoutSlashesAtEnd
        let found = try name.withCString { text in
            guard strlen(text) == name.utf8.count else {
                throw FileSystemError("look at", path, .invalidArgument)
            }
            return try status(
                of: text, in: AT_FDCWD, follows: followingLink, isDated: true, path)
        }
        guard found?.kind != .symbolicLink else {
            throw FileSystemError("look at", path, .tooManyLinks)
        }
        guard found.map({ $0.kind == .folder }) != false else {
            throw FileSystemError("look at", path, .notFolder)
        }
        return found
    }

    private func status(of name: FileName, in folder: Handle, isDated: Bool) throws
        -> FileStatus?
    {
        try name.withCString { text in
            try status(
                of: text, in: folder.descriptor, follows: false, isDated: isDated,
                folder.path(of: name))
        }
    }

    private func status(
        of name: UnsafePointer<CChar>?, in folder: Int32, follows: Bool, isDated: Bool,
        _ path: @autoclosure () -> String
    ) throws -> FileStatus? {
        var (found, created) = (stat(), timespec())
        var isMissing = false
        _ = try call("look at", path()) {
            let result = posix_status(
                folder, name, follows ? 1 : 0, isDated ? 1 : 0, &found, &created)
            isMissing = result == -1 && Errno.last == .noSuchFile
            return isMissing ? 0 : result
        }
        return isMissing ? nil : fileStatus(found, created: created)
    }

    package func status(of handle: Handle) throws -> FileStatus {
        try status(of: handle, isDated: true)
    }

    package func undatedStatus(of handle: Handle) throws -> FileStatus {
        try status(of: handle, isDated: false)
    }

    private func status(of handle: Handle, isDated: Bool) throws -> FileStatus {
        var (found, created) = (stat(), timespec())
        _ = try call("look at", handle.path) {
            posix_status(handle.descriptor, nil, 0, isDated ? 1 : 0, &found, &created)
        }
        return fileStatus(found, created: created)
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        let (from, to) = (name.cString, newName.cString)
        let operation = "move \(folder.path(of: name)) to"
        if !replacing {
            do {
                _ = try call(operation, newFolder.path(of: newName)) {
                    calls.renameExclusive(folder.descriptor, from, newFolder.descriptor, to)
                }
                return
            } catch let error as FileSystemError where error.code.meansUnsupported {
                guard try status(of: newName, in: newFolder) == nil else {
                    throw FileSystemError(operation, error.path, .fileExists)
                }
            }
        }
        _ = try call(operation, newFolder.path(of: newName)) {
            renameat(folder.descriptor, from, newFolder.descriptor, to)
        }
    }

    package func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws
        -> Bool
    {
        do {
            _ = try call("exchange \(folder.path(of: name)) with", folder.path(of: other)) {
                calls.exchange(folder.descriptor, name.cString, other.cString)
            }
            return true
        } catch let error as FileSystemError where error.code.meansUnsupported {
            return false
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

    package func resolve(_ path: String) throws -> [FileName] {
        // realpath(3) accepts files too, but only a folder may be resolved.
        _ = try openFolder(at: path)
        guard let resolved = realpath(path, nil) else {
            throw FileSystemError("resolve", path, .last)
        }
        defer { free(resolved) }
        let bytes = UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))
        return bytes.split(separator: UInt8(ascii: "/")).compactMap { FileName(bytes: Array($0)) }
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

extension LocalFileSystem {
    private func fileStatus(_ found: stat, created: timespec) -> FileStatus {
        let kind: FileStatus.Kind =
            switch Int32(found.st_mode) & Int32(S_IFMT) {
            case Int32(S_IFREG): .file
            case Int32(S_IFDIR): .folder
            case Int32(S_IFLNK): .symbolicLink
            default: .other
            }
        let madeAt = created.tv_nsec < 0 ? nil : FileTime(created)
        let isBornOnce = kind == .folder && calls.birthIsFixed
        return withUnsafePointer(to: found) { pointer in
            FileStatus(
                kind: kind,
                identity: FileIdentity(
                    device: UInt64(truncatingIfNeeded: found.st_dev),
                    inode: UInt64(truncatingIfNeeded: found.st_ino),
                    born: isBornOnce ? madeAt?.nanosecondsSince1970 ?? 0 : 0),
                size: Int(found.st_size), linkCount: Int(found.st_nlink),
                mode: UInt16(found.st_mode & 0o7777),
                modified: FileTime(posix_modified(pointer)),
                changed: FileTime(posix_changed(pointer)), created: madeAt,
                isDataless: posix_is_dataless(pointer) == 1)
        }
    }
}

extension FileTime {
    fileprivate init(_ time: timespec) {
        self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
