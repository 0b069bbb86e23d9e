import Foundation

/// A file that is written by bare system calls, at an offset that grows.
///
/// It has 64 KiB of newlines beyond that offset, as a journal has: a sync that need not store a new size takes two
/// thirds of the time.
struct AppendedFile {
    private static let room = 1 << 16
    private let descriptor: Int32
    private var (offset, size) = (0, 0)

    init(_ url: URL) throws {
        descriptor = open(url.path(percentEncoded: false), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    /// Writes at the end: pwrite(2).
    mutating func append(_ bytes: [UInt8]) throws {
        let end = offset + bytes.count
        if end > size {
            try write([UInt8](repeating: UInt8(ascii: "\n"), count: Self.room), at: end)
            size = end + Self.room
        }
        try write(bytes, at: offset)
        offset = end
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw POSIXError(.EIO)
        }
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
