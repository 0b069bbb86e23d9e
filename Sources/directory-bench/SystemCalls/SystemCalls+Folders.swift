import Foundation

extension SystemCalls {
    /// The total size of all files below a folder: readdir(3), fstatat(2).
    static func totalSize(of url: URL) throws -> Int {
        var total = 0
        try walk(url) { _, _, found in total += Int(found.st_size) }
        return total
    }

    /// Calls `visit` with the open folder, the name and the status of every file below a folder.
    static func walk(
        _ url: URL, _ visit: (Int32, UnsafePointer<CChar>, stat) throws -> Void
    ) throws {
        try walk(open(url.path(percentEncoded: false), O_RDONLY | O_DIRECTORY), visit)
    }

    private static func walk(
        _ descriptor: Int32, _ visit: (Int32, UnsafePointer<CChar>, stat) throws -> Void
    ) throws {
        try forEachName(descriptor) { name in
            var found = stat()
            guard fstatat(descriptor, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw POSIXError(.EIO)
            }
            if found.st_mode & S_IFMT == S_IFDIR {
                try walk(openat(descriptor, name, O_RDONLY | O_DIRECTORY), visit)
            } else {
                try visit(descriptor, name, found)
            }
        }
    }

    /// Removes a folder with its contents: readdir(3), unlink(2), rmdir(2).
    static func remove(_ url: URL) throws {
        let path = url.path(percentEncoded: false)
        try remove(open(path, O_RDONLY | O_DIRECTORY))
        guard rmdir(path) == 0 else { throw POSIXError(.EIO) }
    }

    private static func remove(_ descriptor: Int32) throws {
        try forEachName(descriptor) { name in
            if unlinkat(descriptor, name, 0) == 0 { return }
            try remove(openat(descriptor, name, O_RDONLY | O_DIRECTORY))
            guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw POSIXError(.EIO) }
        }
    }

    /// Calls `body` with each name in an open folder, and closes the folder.
    private static func forEachName(
        _ descriptor: Int32, _ body: (UnsafePointer<CChar>) throws -> Void
    ) throws {
        guard let stream = fdopendir(descriptor) else { throw POSIXError(.EIO) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // An entry can be shorter than `dirent`: d_name is valid up to its NUL only.
            let bytes = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = bytes.assumingMemoryBound(to: CChar.self)
            if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { try body(name) }
        }
    }
}
