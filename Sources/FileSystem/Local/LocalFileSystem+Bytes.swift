import CPosix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LocalFileSystem {
    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var done = 0
        repeat {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try call("read", file.path) {
                pread(file.descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
            if count == 0 { break }
            done += count
        } while done < buffer.count
        return done
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        var done = 0
        repeat {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try call("write", file.path) {
                pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
        } while done < bytes.count
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        _ = try call("truncate", file.path) { ftruncate(file.descriptor, off_t(size)) }
    }

    package func clone(_ from: Handle, to: Handle) throws -> Bool {
        // Volumes without clones report many errors (EOPNOTSUPP, ENOTTY, EINVAL, EXDEV). For any
        // other error, the copy that comes next fails with the same reason.
        posix_clone(from.descriptor, to.descriptor) == 0
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int {
        do {
            return try call("copy to", to.path) {
                posix_copy_range(
                    from.descriptor, off_t(offset), to.descriptor, off_t(offset), count)
            }
        } catch let error as FileSystemError where error.code.meansNoKernelCopy {
            return try withUnsafeTemporaryAllocation(byteCount: min(count, 1 << 18), alignment: 16)
            { buffer in
                let read = try read(from, at: offset, into: buffer)
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<read]), to: to, at: offset)
                return read
            }
        }
    }
}

extension Errno {
    /// Whether copy_file_range(2) reports that it cannot copy between these two files.
    fileprivate var meansNoKernelCopy: Bool {
        [ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, EOVERFLOW, EXDEV, EPERM].contains(rawValue)
    }
}
