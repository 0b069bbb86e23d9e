import Foundation

extension FileSystem {
    /// All bytes of an open file from `start`.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The offset of the first byte.
    ///   - size: The expected number of bytes from `start`, if it is known.
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

    /// The bytes of an open file from `offset`: `count` of them, or fewer at the end of the file.
    package func read(_ file: Handle, at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// All bytes of the file `name`, nil if it does not exist.
    package func readAll(_ name: FileName, in folder: Handle) throws -> [UInt8]? {
        try openFileIfPresent(name, in: folder, for: .read).map { try readAll($0) }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], to file: Handle, at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, to: file, at: offset) }
    }

    /// Removes the file `name` if it is still the file that had `status`, and was not written to since.
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

    /// Whether every change from now on gives the file or folder with `status` another one.
    ///
    /// A volume rounds times to some milliseconds, or to one or two seconds. So a change can get the time of the last
    /// one, if that is not long ago.
    package func everyChangeShows(after status: FileStatus) -> Bool {
        if timesAreExact { return true }
        let rounding = status.changed.nanoseconds == 0 ? 2 : 0.05
        return Date(status.changed).addingTimeInterval(rounding) < Date()
    }

    /// The result of `body`, nil if it throws the code `noSuchFile`.
    package func unlessMissing<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileSystemError where error.code == .noSuchFile {
            return nil
        }
    }

    /// The result of `body`, nil if this process has no access to what it reads.
    @discardableResult
    package func unlessRefused<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileSystemError where error.isAccessRefusal {
            return nil
        }
    }

    /// Moves a file or folder, and never replaces another one.
    ///
    /// A power loss can leave a moved file in both folders; then the old name is removed. If the file is missing, the
    /// code is `noSuchFile`, also between two volumes.
    package func move(
        _ name: FileName, in source: Handle, to newName: FileName, in target: Handle
    ) throws {
        do {
            try rename(name, in: source, to: newName, in: target, replacing: false)
        } catch let error as FileSystemError where error.code == .fileExists {
            guard let left = try status(of: name, in: source) else {
                throw FileSystemError(error.operation, error.path, .noSuchFile)
            }
            // In one folder, two spellings can be one name.
            guard left.kind == .file,
                try status(of: newName, in: target)?.identity == left.identity,
                try status(of: source).identity != status(of: target).identity
            else { throw error }
            try removeFile(name, in: source)
        } catch let error as FileSystemError where error.code == .crossDevice {
            // Linux compares the mounts of the folders before it looks for the file.
            guard try status(of: name, in: source) != nil else {
                throw FileSystemError(error.operation, error.path, .noSuchFile)
            }
            throw error
        }
    }

    /// Whether the system can move files from one folder to another; nothing changes.
    ///
    /// It cannot between two volumes, nor on Linux between two mounts of one volume, which have the same device:
    /// rename(2) then fails with `EXDEV`, also for a file that does not exist.
    package func canMove(from source: Handle, to target: Handle) throws -> Bool {
        let missing = try FileName(validating: ".\(RandomName.digits())")
        do {
            try rename(missing, in: source, to: missing, in: target, replacing: false)
        } catch let error as FileSystemError where error.code == .crossDevice {
            return false
        } catch let error as FileSystemError where error.code == .noSuchFile {}
        return true
    }

    /// Does the same as ``move(_:in:to:in:)`` if the file or folder exists.
    ///
    /// - Returns: Whether it was moved; false if it was missing.
    @discardableResult package func moveIfPresent(
        _ name: FileName, in source: Handle, to newName: FileName, in target: Handle
    ) throws -> Bool {
        try unlessMissing { try move(name, in: source, to: newName, in: target) } != nil
    }
}
