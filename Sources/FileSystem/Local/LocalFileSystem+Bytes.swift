import CPosix

extension LocalFileSystem {
    /// In bytes; Darwin reads and writes no more than 2 GiB in one call, and fails with EINVAL.
    private static let largestPiece = 1 << 30

    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var done = 0
        repeat {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try call("read", file.path) {
                calls.read(
                    file.descriptor, rest.baseAddress, min(rest.count, Self.largestPiece),
                    off_t(offset + done))
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
                calls.write(
                    file.descriptor, rest.baseAddress, min(rest.count, Self.largestPiece),
                    off_t(offset + done))
            }
        } while done < bytes.count
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        _ = try call("truncate", file.path) { ftruncate(file.descriptor, off_t(size)) }
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int? {
        guard offset >= 0 else { throw FileSystemError("copy to", to.path, .invalidArgument) }
        do {
            return try call("copy to", to.path) {
                calls.copyRange(
                    from.descriptor, Int64(offset), to.descriptor, Int64(offset), count)
            }
        } catch let error as FileSystemError where error.code.meansNoKernelCopy {
            return nil
        }
    }
}

extension LocalFileSystem {
    package func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool) {
        if let clone = try clone(source, as: name, in: folder, mode: mode) { return (clone, true) }
        let file = try createFile(name, in: folder, mode: mode)
        // Volumes without clones report many errors (EOPNOTSUPP, ENOTTY, EINVAL, EXDEV). For any
        // other error, the copy that comes next fails with the same reason.
        return (file, calls.cloneInto(source.descriptor, file.descriptor) == 0)
    }

    /// Makes a clone by its name, as Apple's systems do; nil if that is not possible.
    ///
    /// The system copies the mode, the flags and the dates of the source, so this sets them anew. With
    /// the flag "immutable" or "append only", the clone could not be changed, moved or removed; with an
    /// old date, it would be taken for a leftover of a dead process. The date of birth stays that of the
    /// source.
    private func clone(_ source: Handle, as name: FileName, in folder: Handle, mode: UInt16) throws
        -> Handle?
    {
        guard calls.cloneAs(source.descriptor, folder.descriptor, name.cString) == 0 else {
            return nil
        }
        do {
            let file = try openFile(name, in: folder, for: .read)
            _ = try call("clear the flags of", file.path) { calls.clearFlags(file.descriptor) }
            _ = try call("set the mode of", file.path) { fchmod(file.descriptor, mode_t(mode)) }
            _ = try call("set the date of", file.path) { futimens(file.descriptor, nil) }
            return file
        } catch is FileSystemError {
            // The caller makes a copy instead, which has its own flags, mode and date.
            try removeFile(name, in: folder)
            return nil
        }
    }
}

extension Errno {
    /// Whether copy_file_range(2) reports that it cannot copy between these two files.
    fileprivate var meansNoKernelCopy: Bool {
        meansUnsupported || [EOVERFLOW, EXDEV, EPERM].contains(rawValue)
    }
}
