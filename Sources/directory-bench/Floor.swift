import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bare system calls that a reference is made of.
struct FloorFile {
    private let descriptor: Int32
    private var offset = 0

    init(_ url: URL) throws {
        descriptor = open(url.path(percentEncoded: false), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    /// Writes at the end: pwrite(2).
    mutating func append(_ bytes: [UInt8]) throws {
        guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw POSIXError(.EIO)
        }
        offset += bytes.count
    }

    /// Waits for the bytes: fdatasync(2), on Apple fcntl(2) with F_FULLFSYNC.
    func sync() throws {
        #if canImport(Darwin)
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fdatasync(descriptor)
        #endif
        guard result == 0 else { throw POSIXError(.EIO) }
    }

    func close() {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }
}

enum Floor {
    /// Syncs a file or a folder: fsync(2).
    static func sync(_ url: URL) throws {
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
    }

    /// Renames without a look: rename(2).
    static func move(_ url: URL, to target: URL) throws {
        guard
            rename(url.path(percentEncoded: false), target.path(percentEncoded: false)) == 0
        else { throw POSIXError(.EIO) }
    }

    /// The bytes of a file: open(2), read(2), close(2).
    static func read(_ url: URL) throws -> [UInt8] {
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY)
        defer { close(descriptor) }
        var found = stat()
        guard descriptor >= 0, fstat(descriptor, &found) == 0 else { throw POSIXError(.EIO) }
        return [UInt8](unsafeUninitializedCapacity: Int(found.st_size)) { buffer, count in
            #if canImport(Darwin)
                count = max(0, Darwin.read(descriptor, buffer.baseAddress, buffer.count))
            #else
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            #endif
        }
    }
}
