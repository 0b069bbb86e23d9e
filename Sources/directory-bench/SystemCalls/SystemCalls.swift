import Foundation

/// The bare system calls that the library is measured against.
enum SystemCalls {
    /// Syncs a file or a folder: open(2), fsync(2), close(2).
    static func sync(_ url: URL) throws {
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
    }

    /// Renames, and replaces a file with the new name: rename(2).
    static func move(_ url: URL, to target: URL) throws {
        guard
            rename(url.path(percentEncoded: false), target.path(percentEncoded: false)) == 0
        else { throw POSIXError(.EIO) }
    }

    /// Makes a folder: mkdir(2).
    static func makeFolder(_ url: URL) throws {
        guard mkdir(url.path(percentEncoded: false), 0o700) == 0 else { throw POSIXError(.EIO) }
    }

    /// Removes a file: unlink(2).
    static func removeFile(_ url: URL) throws {
        guard unlink(url.path(percentEncoded: false)) == 0 else { throw POSIXError(.EIO) }
    }

    /// Removes an empty folder: rmdir(2).
    static func removeFolder(_ url: URL) throws {
        guard rmdir(url.path(percentEncoded: false)) == 0 else { throw POSIXError(.EIO) }
    }

    /// The bytes of a file: open(2), fstat(2), read(2), close(2).
    static func read(_ url: URL) throws -> [UInt8] {
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY)
        defer { close(descriptor) }
        var found = stat()
        guard descriptor >= 0, fstat(descriptor, &found) == 0 else { throw POSIXError(.EIO) }
        return [UInt8](unsafeUninitializedCapacity: Int(found.st_size)) { buffer, count in
            count = max(0, Foundation.read(descriptor, buffer.baseAddress, buffer.count))
        }
    }

    /// Creates a file and syncs its bytes: open(2), write(2), fsync(2), close(2).
    static func create(_ url: URL, _ bytes: [UInt8], isSynced: Bool = true) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = open(url.path(percentEncoded: false), flags, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count,
            !isSynced || fsync(descriptor) == 0
        else { throw POSIXError(.EIO) }
    }

    /// Copies the bytes of a file to a new one, and syncs nothing.
    static func copy(_ url: URL, to target: URL) throws {
        try create(target, read(url), isSynced: false)
    }

    /// Writes the bytes of `files`, one after the other, to a new file, and syncs it: the calls of ``read(_:)`` for
    /// each, open(2), write(2), fsync(2), close(2).
    static func join(_ files: [URL], to target: URL) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = open(target.path(percentEncoded: false), flags, 0o600)
        defer { close(descriptor) }
        for file in files {
            let bytes = try read(file)
            guard write(descriptor, bytes, bytes.count) == bytes.count else {
                throw POSIXError(.EIO)
            }
        }
        guard fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
    }

    /// Creates or replaces a file durably: the calls of ``create(_:_:)`` for a temporary file,
    /// rename(2), fsync(2) of the folder.
    static func save(_ bytes: [UInt8], as name: String, in folder: URL) throws {
        let temporary = folder.appending(path: ".temporary")
        try create(temporary, bytes)
        try move(temporary, to: folder.appending(path: name))
        try sync(folder)
    }
}
