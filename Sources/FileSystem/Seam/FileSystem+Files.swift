extension FileSystem {
    /// All bytes of an open file from `start`.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The offset of the first byte.
    ///   - size: About how many bytes there are from `start`, if that is known.
    /// - Returns: The bytes, also those beyond `size`.
    /// - Throws: ``FileSystemError``.
    package func readAll(_ file: Handle, from start: Int = 0, expecting size: Int? = nil) throws
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        // One byte more than expected, so that one read finds the end.
        var capacity = max(try size ?? status(of: file).size - start, 0) + 1
        while true {
            let offset = start + bytes.count
            let part = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if part.count < capacity { return bytes }
            capacity = 4096
        }
    }

    /// The bytes of an open file from `offset`, `count` at the most: fewer only at the end of the file.
    package func read(_ file: Handle, at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// All bytes of the file `name`, nil if it does not exist.
    package func readAll(_ name: FileName, in folder: Handle) throws -> [UInt8]? {
        try unlessMissing { try readAll(openFile(name, in: folder, for: .read)) }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], to file: Handle, at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, to: file, at: offset) }
    }

    /// Removes the file `name`, unless it is another file than the one with `status`, or was
    /// written to since.
    ///
    /// - Returns: Whether the file was removed.
    package func removeFile(
        _ name: FileName, in folder: Handle, ifUnchangedSince status: FileStatus
    ) throws -> Bool {
        guard let found = try self.status(of: name, in: folder),
            found.identity == status.identity, found.size == status.size,
            found.modified == status.modified
        else { return false }
        try removeFile(name, in: folder)
        return true
    }

    /// The result of `body`, nil if it fails because a name does not exist.
    package func unlessMissing<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileSystemError where error.code == .noSuchFile {
            return nil
        }
    }

    /// Moves a file or folder, but never over another one; does nothing if it is missing.
    ///
    /// - Returns: Whether it was there.
    @discardableResult package func moveIfPresent(
        _ name: FileName, in source: Handle, to newName: FileName, in target: Handle
    ) throws -> Bool {
        try unlessMissing {
            try rename(name, in: source, to: newName, in: target, replacing: false)
        } != nil
    }
}
