import FileSystem
import Foundation

/// Writes an archive into an empty file, one entry after the other.
struct ZipWriter {
    private let file: Handle
    private let fileSystem: any FileSystem
    private let limits: ZipLimits
    private var entries: [ZipEntry] = []
    /// The number of bytes that are in the file.
    private var written = 0
    /// The next bytes, which are not in the file yet.
    private var buffer: [UInt8] = []

    /// The size of the pieces that are read and written, in bytes.
    private static let pieceSize = 1 << 20

    init(_ file: Handle, on fileSystem: any FileSystem, _ limits: ZipLimits = ZipLimits()) {
        (self.file, self.fileSystem, self.limits) = (file, fileSystem, limits)
    }
}

extension ZipWriter {
    /// Adds a folder with nothing in it.
    mutating func addFolder(_ path: FolderPath, _ status: FileStatus) throws {
        try add([], ZipEntry(path, status, isFolder: true))
    }

    /// Adds a file with `bytes`.
    mutating func add(_ bytes: [UInt8], at path: FolderPath, mode: UInt16) throws {
        let now = Int(Date().timeIntervalSince1970)
        try add(bytes, ZipEntry(path: path, mode: mode, modified: now))
    }

    /// Adds the open file `source`, and calls `step` with the number of bytes after each piece.
    ///
    /// - Throws: ``FileSystemError`` with `ioError` if the file became shorter since it had `status`.
    mutating func add(
        _ source: Handle, _ status: FileStatus, at path: FolderPath, step: (Int) throws -> Void
    ) throws {
        var entry = ZipEntry(path, status)
        let first = try fileSystem.read(
            source, at: 0, count: min(status.size, Self.pieceSize))
        guard first.count == min(status.size, Self.pieceSize) else {
            throw FileSystemError("read", source.path, .ioError)
        }
        if first.count < Self.pieceSize {
            try add(first, entry)
            return try step(first.count)
        }
        // The checksum is known at the end.
        let start = end
        begin(&entry)
        try flush()
        var crc = CRC32()
        var next = first
        var done = 0
        while true {
            next.withUnsafeBytes { crc.update($0) }
            try fileSystem.write(next, to: file, at: written)
            written += next.count
            done += next.count
            try step(next.count)
            if done == status.size { break }
            next = try fileSystem.read(
                source, at: done, count: min(status.size - done, Self.pieceSize))
            if next.isEmpty { throw FileSystemError("read", source.path, .ioError) }
        }
        entry.checksum = crc.checksum
        var checksum: [UInt8] = []
        checksum.append(little: entry.checksum)
        try fileSystem.write(checksum, to: file, at: start + ZipEntry.checksumOffset)
        entries.append(entry)
    }

    /// Adds the directory.
    ///
    /// Without it the file is not an archive.
    mutating func finish() throws {
        let start = end
        for entry in entries {
            buffer += entry.centralHeader(limits)
            if buffer.count >= Self.pieceSize { try flush() }
        }
        let (count, size) = (entries.count, end - start)
        let isLarge =
            count >= limits.field16 || size >= limits.field32 || start >= limits.field32
        if isLarge { add64BitEnd(count, size, from: start) }
        buffer.append(little: ZipSignature.end)
        for _ in 0..<2 { buffer.append(little: UInt16(0)) }  // The first disk.
        for _ in 0..<2 { buffer.append(little: UInt16(isLarge ? 0xFFFF : count)) }
        for value in [size, start] { buffer.append(little: UInt32(isLarge ? 0xFFFF_FFFF : value)) }
        buffer.append(little: UInt16(0))  // No comment.
        try flush()
    }

    private mutating func add64BitEnd(_ count: Int, _ size: Int, from start: Int) {
        let here = end
        buffer.append(little: ZipSignature.end64)
        buffer.append(little: UInt64(44))  // What is left of this record.
        for _ in 0..<2 { buffer.append(little: UInt16(45)) }
        for _ in 0..<2 { buffer.append(little: UInt32(0)) }
        for value in [count, count, size, start] { buffer.append(little: UInt64(value)) }
        buffer.append(little: ZipSignature.locator64)
        buffer.append(little: UInt32(0))
        buffer.append(little: UInt64(here))
        buffer.append(little: UInt32(1))
    }

    private var end: Int { written + buffer.count }

    private mutating func add(_ bytes: [UInt8], _ entry: ZipEntry) throws {
        var entry = entry
        entry.size = bytes.count
        entry.checksum = CRC32.checksum(of: bytes)
        begin(&entry)
        buffer += bytes
        entries.append(entry)
        if buffer.count >= Self.pieceSize { try flush() }
    }

    private mutating func begin(_ entry: inout ZipEntry) {
        entry.offset = end
        buffer += entry.localHeader(limits)
    }

    private mutating func flush() throws {
        try fileSystem.write(buffer, to: file, at: written)
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}

extension ZipEntry {
    fileprivate init(_ path: FolderPath, _ status: FileStatus, isFolder: Bool = false) {
        self.init(
            path: path, isFolder: isFolder, mode: status.mode, modified: status.modified.seconds,
            size: status.size)
    }
}
