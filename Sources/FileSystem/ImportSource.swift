package import Foundation

/// A file to import: a regular file, open for reading.
///
/// Symbolic links are followed in the path of its folder, which the caller chose, and not in its
/// own name.
package struct ImportSource: Sendable {
    package let fileSystem: any FileSystem
    /// The folder that holds the file.
    package let folder: Handle
    package let name: FileName
    /// The open file.
    package let handle: Handle
    /// The status of the file when it was opened.
    package let status: FileStatus

    /// In bytes; the size of the pieces that the kernel copies.
    private static let pieceSize = 8 << 20
    /// In bytes; the size of the pieces that pass through memory.
    private static let bufferSize = 1 << 18

    /// Opens the file `name` in `folder`.
    package init(_ name: FileName, in folder: Handle, on fileSystem: any FileSystem) throws {
        self.fileSystem = fileSystem
        self.folder = folder
        self.name = name
        handle = try fileSystem.openFile(name, in: folder, for: .read)
        status = try fileSystem.status(of: handle)
    }

    /// Opens the file at `url`.
    ///
    /// - Throws: ``FileSystemError``; its code is `invalidArgument` if `url` is not the URL of a
    ///   file.
    package init(at url: URL, on fileSystem: any FileSystem) throws {
        let path = url.path(percentEncoded: false)
        guard url.isFileURL, !path.utf8.contains(0), let name = FileName(url.lastPathComponent)
        else {
            throw FileSystemError("open", path, .invalidArgument)
        }
        try self.init(name, in: fileSystem.openParent(of: url), on: fileSystem)
    }
}

extension ImportSource {
    /// Copies the bytes to `target`, an empty file; volumes that can share the bytes do so.
    ///
    /// - Parameters:
    ///   - target: The file to copy to, open for writing.
    ///   - targetFileSystem: The file system of `target`, or nil if it is that of the source.
    ///   - step: Called after each piece with its size in bytes. If it throws, the copy ends.
    /// - Throws: ``FileSystemError``, or what `step` throws.
    package func copy(
        to target: Handle, on targetFileSystem: (any FileSystem)? = nil,
        step: (Int) throws -> Void
    ) throws {
        if targetFileSystem == nil, try fileSystem.clone(handle, to: target) {
            return try step(status.size)
        }
        var offset = 0
        while true {
            let count =
                if let targetFileSystem {
                    try copyThroughMemory(to: target, on: targetFileSystem, at: offset)
                } else {
                    try fileSystem.copy(handle, to: target, at: offset, count: Self.pieceSize)
                }
            if count == 0 { return }
            offset += count
            try step(count)
        }
    }

    /// Copies one piece to another file system, and returns its size in bytes: 0 at the end.
    private func copyThroughMemory(
        to target: Handle, on targetFileSystem: any FileSystem, at offset: Int
    ) throws -> Int {
        try withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 16) { buffer in
            let count = try fileSystem.read(handle, at: offset, into: buffer)
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if count > 0 { try targetFileSystem.write(piece, to: target, at: offset) }
            return count
        }
    }

    /// The first bytes of the file, at most `count`.
    package func prefix(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = try fileSystem.read(handle, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

extension ImportSource {
    /// Whether the name still refers to this file.
    package func hasItsName() throws -> Bool {
        try fileSystem.status(of: name, in: folder)?.identity == status.identity
    }

    /// Removes the file, unless it was replaced or written to since it was opened.
    ///
    /// - Returns: Whether the file was removed.
    package func remove() throws -> Bool {
        try fileSystem.removeFile(name, in: folder, ifUnchangedSince: status)
    }
}

extension URL {
    /// The result of `body`, which can open the file at this URL.
    ///
    /// On Apple's systems, an app can open a file that the user chose in another app only while it
    /// accesses the security-scoped resource.
    package func withAccess<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            let isScoped = startAccessingSecurityScopedResource()
            defer { if isScoped { stopAccessingSecurityScopedResource() } }
        #endif
        return try body()
    }
}
