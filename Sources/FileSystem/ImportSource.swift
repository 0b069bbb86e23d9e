package import Foundation

/// A file to import: a regular file, open for reading.
///
/// The caller chose the path of the folder, so symbolic links in it are followed; a file that is a
/// link itself is refused. A sandbox can refuse to open the folder of a file that the user picked,
/// so the folder is opened only to move or remove the file.
package struct ImportSource: Sendable {
    package let fileSystem: any FileSystem
    package let name: FileName
    /// Opens the folder that holds the file.
    package let openFolder: @Sendable () throws -> Handle
    /// The open file.
    package let handle: Handle
    /// The status of the file when it was opened.
    package let status: FileStatus

    /// In bytes; the size of the pieces that the kernel copies.
    private static let pieceSize = 8 << 20
    /// In bytes; the size of the pieces that pass through memory.
    private static let bufferSize = 1 << 18

    package init(_ name: FileName, in folder: Handle, on fileSystem: any FileSystem) throws {
        self.fileSystem = fileSystem
        self.name = name
        openFolder = { folder }
        handle = try fileSystem.openFile(name, in: folder, for: .read)
        status = try fileSystem.status(of: handle)
        try checkThatBytesAreHere(at: folder.path(of: name))
    }

    /// Opens the file at `url`.
    ///
    /// - Throws: ``FileSystemError``; its code is `invalidArgument` if `url` is not the absolute
    ///   URL of a file.
    package init(at url: URL, on fileSystem: any FileSystem) throws {
        let path = url.path(percentEncoded: false)
        // Foundation gives no path for bytes that are not UTF-8.
        if url.isFileURL, path.isEmpty, !url.path().isEmpty {
            throw FileSystemError("open", url.path(), .illegalByteSequence)
        }
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0),
            let name = FileName(url.lastPathComponent)
        else {
            throw FileSystemError("open", path, .invalidArgument)
        }
        self.fileSystem = fileSystem
        self.name = name
        openFolder = { try fileSystem.openParent(of: url) }
        // With a slash at its end, the path would be that of a folder.
        let file = url.deletingLastPathComponent()
            .appending(path: name.string, directoryHint: .notDirectory)
        handle = try fileSystem.openFile(at: file.path(percentEncoded: false))
        status = try fileSystem.status(of: handle)
        try checkThatBytesAreHere(at: path)
    }

    /// Throws if the bytes are only in a cloud: a clone would have no bytes either, and a copy would
    /// wait for a download that nothing can cancel.
    private func checkThatBytesAreHere(at path: String) throws {
        if status.isDataless { throw FileSystemError("read", path, .deadlock) }
    }
}

extension ImportSource {
    /// Makes a new file with the bytes of this one; both share the bytes if the volume can do that.
    ///
    /// - Parameters:
    ///   - name: The name of the new file, which stays if the copy fails.
    ///   - folder: The folder of the new file.
    ///   - mode: The permission bits of the new file.
    ///   - targetFileSystem: The file system of `folder`, or nil if it is that of the source.
    ///   - prepare: Called with the new file, before bytes are copied to it.
    ///   - step: Called after each piece with its size in bytes. If it throws, the copy ends.
    /// - Returns: The new file.
    /// - Throws: ``FileSystemError``, or the error of `prepare` or `step`.
    package func copy(
        as name: FileName, in folder: Handle, mode: UInt16,
        on targetFileSystem: (any FileSystem)? = nil,
        prepare: (Handle) throws -> Void = { _ in }, step: (Int) throws -> Void
    ) throws -> Handle {
        if let targetFileSystem {
            let file = try targetFileSystem.openFile(name, in: folder, for: .create(mode: mode))
            try prepare(file)
            try copyThroughMemory(to: file, on: targetFileSystem, at: 0, step: step)
            return file
        }
        let (file, isClone) = try fileSystem.createFile(
            name, in: folder, mode: mode, cloning: handle)
        try prepare(file)
        if isClone { try step(status.size) } else { try copyBytes(to: file, step: step) }
        return file
    }

    /// Copies all bytes inside the kernel; if it stops being able to, copies the rest through memory.
    private func copyBytes(to target: Handle, step: (Int) throws -> Void) throws {
        var offset = 0
        while let count = try fileSystem.copy(
            handle, to: target, at: offset, count: Self.pieceSize)
        {
            if count == 0 { return }
            offset += count
            try step(count)
        }
        try copyThroughMemory(to: target, on: fileSystem, at: offset, step: step)
    }

    private func copyThroughMemory(
        to target: Handle, on targetFileSystem: any FileSystem, at start: Int,
        step: (Int) throws -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 16) { buffer in
            var offset = start
            while case let count = try fileSystem.read(handle, at: offset, into: buffer), count > 0
            {
                let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try targetFileSystem.write(piece, to: target, at: offset)
                offset += count
                try step(count)
            }
        }
    }

    /// The first bytes of the file, at most `count`.
    package func prefix(_ count: Int) throws -> [UInt8] {
        try fileSystem.read(handle, at: 0, count: count)
    }
}

extension ImportSource {
    /// Whether the name of this file in `folder`, its folder, still refers to it.
    package func hasItsName(in folder: Handle) throws -> Bool {
        try fileSystem.status(of: name, in: folder)?.identity == status.identity
    }

    /// Removes the file from `folder`, its folder, unless the file was replaced or written to after it
    /// was opened.
    ///
    /// - Returns: Whether the file was removed.
    package func remove(from folder: Handle) throws -> Bool {
        try fileSystem.removeFile(name, in: folder, ifUnchangedSince: status)
    }
}

extension URL {
    /// Calls `body` while the app may open the file at this URL, and returns its result.
    ///
    /// On Apple's systems, an app can open a file that the user chose outside the app only between
    /// `startAccessingSecurityScopedResource()` and `stopAccessingSecurityScopedResource()`.
    package func withAccess<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            let isScoped = startAccessingSecurityScopedResource()
            defer { if isScoped { stopAccessingSecurityScopedResource() } }
        #endif
        return try body()
    }
}
