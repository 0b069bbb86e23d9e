import Foundation

/// A file that grows by bare system calls.
struct AppendedFile {
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

    /// Waits until the bytes are on stable storage: fdatasync(2), on Apple fcntl(2) with
    /// F_FULLFSYNC.
    func sync() throws {
        #if canImport(Darwin)
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fdatasync(descriptor)
        #endif
        guard result == 0 else { throw POSIXError(.EIO) }
    }

    func close() {
        Foundation.close(descriptor)
    }
}
