import Foundation

/// A folder held open, so that nobody can lead an operation elsewhere by changing its path.
///
/// Names are the bytes on disk, ending in NUL: on Linux they need not be UTF-8.
struct OpenFolder: ~Copyable {
    private let descriptor: Int32
    private let url: URL

    /// Takes over the descriptor that `open` returned for `url`; nil if there is no such folder.
    private init?(at url: URL, _ opened: Int32) throws {
        if opened < 0 {
            switch errno {
            case ENOENT: return nil
            case ENOTDIR, ELOOP:
                throw AppFolderError(
                    .inTheWay, at: url,
                    "Cannot open \(url.filePath): "
                        + "a file or symbolic link is where the folder must be; move it away.")
            default: throw Self.refusal("open", at: url)
            }
        }
        descriptor = opened
        self.url = url
    }

    deinit { close(descriptor) }

    private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    private static func refusal(
        _ operation: String, at url: @autoclosure () -> URL
    ) -> AppFolderError {
        let reason = String(cString: strerror(errno))
        return AppFolderError(refused: operation, at: url(), reason)
    }

    private func url(of name: [CChar]) -> URL {
        let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return url.appending(component: text, directoryHint: .notDirectory)
    }
}

extension OpenFolder {
    /// Opens the folder at `location`; nil if it does not exist.
    ///
    /// Symbolic links are followed to the system's place, which a user may have moved to another
    /// volume, and not from there on.
    static func opening(_ location: Location) throws -> OpenFolder? {
        let url = location.root.url(of: location.place)
        var folder = try OpenFolder(
            at: url, open(url.filePath, flags))
        for name in location.names {
            folder = try folder?.folder(Array(name.component.utf8CString))
        }
        return folder
    }

    /// Opens the folder `name` in this one; nil if it does not exist.
    func folder(_ name: [CChar]) throws -> OpenFolder? {
        try OpenFolder(at: url(of: name), openat(descriptor, name, Self.flags | O_NOFOLLOW))
    }
}

extension OpenFolder {
    func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.refusal("inspect", at: url) }
        return status
    }

    /// The status of `name` in this folder, of a link itself; nil if it does not exist.
    func status(of name: [CChar]) throws -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw Self.refusal("inspect", at: url(of: name)) }
        return nil
    }

    /// The names in this folder, without `.` and `..`.
    func names() throws -> [[CChar]] {
        guard let stream = fdopendir(openat(descriptor, ".", Self.flags)) else {
            throw Self.refusal("list", at: url)
        }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        errno = 0
        while let entry = readdir(stream) {
            // An entry is shorter than its type: only what d_name holds may be read.
            let bytes = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = bytes.assumingMemoryBound(to: CChar.self)
            if strcmp(name, ".") != 0 && strcmp(name, "..") != 0 {
                names.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
            }
            errno = 0
        }
        guard errno == 0 else { throw Self.refusal("list", at: url) }
        return names
    }

    /// Deletes the file or link `name`, unless it is gone.
    func removeFile(_ name: [CChar]) throws {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw Self.refusal("delete", at: url(of: name))
        }
    }

    /// Deletes the folder `name` if it is empty, and tells whether it is gone.
    func removeFolder(_ name: [CChar]) throws -> Bool {
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return true }
        switch errno {
        case ENOENT: return true
        case ENOTEMPTY, EEXIST: return false
        default: throw Self.refusal("delete", at: url(of: name))
        }
    }
}
