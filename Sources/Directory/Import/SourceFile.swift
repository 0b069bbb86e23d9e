import FileSystem
import Foundation

/// A file of the caller's that is to be imported, as it was when it was looked at.
struct SourceFile: Hashable, Sendable {
    let url: URL
    let name: FileName
    let status: FileStatus

    private static let fileSystem = LocalFileSystem()

    /// Opens the file at `url` to import it.
    ///
    /// Links in the folders above are followed, because the caller chose the path; a link in its
    /// last component is not.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `sourceNotFile` or `accessDenied`.
    static func open(_ url: URL) throws -> (source: SourceFile, folder: Handle, file: Handle) {
        guard url.isFileURL, let name = FileName(url.lastPathComponent) else {
            throw DirectoryError(.sourceNotFile, "import", url, "it is not the URL of a file")
        }
        do {
            let path = url.deletingLastPathComponent().path(percentEncoded: false)
            let folder = try fileSystem.openFolder(at: path)
            let file = try fileSystem.openFile(name, in: folder, for: .read)
            let status = try fileSystem.status(of: file)
            return (SourceFile(url: url, name: name, status: status), folder, file)
        } catch let error as FileSystemError {
            switch error.code {
            case .noSuchFile, .notFolder:
                throw DirectoryError(
                    .sourceMissing, "import", url, "there is no such file", underlying: error)
            case .isFolder:
                throw DirectoryError(.sourceNotFile, "import", url, "it is a folder")
            case .tooManyLinks:
                throw DirectoryError(.sourceNotFile, "import", url, "it is a symbolic link")
            case .notSupported:
                throw DirectoryError(.sourceNotFile, "import", url, "it is no regular file")
            default: throw DirectoryError(error, "import", url)
            }
        }
    }

    /// Removes the file if it is still the one that was looked at, and was not written to since.
    func remove() throws {
        let path = url.deletingLastPathComponent().path(percentEncoded: false)
        let folder = try Self.fileSystem.openFolder(at: path)
        guard let found = try Self.fileSystem.status(of: name, in: folder),
            found.identity == status.identity, found.size == status.size,
            found.modified == status.modified
        else { return }
        try Self.fileSystem.removeFile(name, in: folder)
    }
}

/// Brings the bytes of source files onto the volume of a collection.
struct SourceCopier {
    /// The file system of the collection.
    let fileSystem: any FileSystem
    /// Called with the number of bytes after each piece, so that it can cancel.
    let step: (Int) throws -> Void

    private static let pieceSize = 8 << 20

    /// Copies the open file `source` to the new file `name`.
    ///
    /// Volumes that can share the bytes do so; else the kernel copies them.
    func copy(_ source: Handle, size: Int, to name: FileName, in folder: Handle, mode: UInt16)
        throws
    {
        let local = LocalFileSystem()
        let target = try fileSystem.openFile(name, in: folder, for: .create(mode: mode))
        do {
            if fileSystem is LocalFileSystem {
                if try local.clone(source, to: target) {
                    try step(size)
                } else {
                    try copyPieces(of: source, to: target)
                }
            } else {
                // A preview in memory: the bytes have to pass through here.
                try fileSystem.write(local.readAll(source), to: target, at: 0)
                try step(size)
            }
            fileSystem.startWriteback(target)
        } catch {
            // Best effort: the name is ours, and the stage that it is in is swept.
            try? fileSystem.removeFile(name, in: folder)
            throw error
        }
    }

    private func copyPieces(of source: Handle, to target: Handle) throws {
        var offset = 0
        while true {
            let count = try fileSystem.copy(
                source, to: target, at: offset, count: Self.pieceSize)
            if count == 0 { return }
            offset += count
            try step(count)
        }
    }

    /// The first bytes of `file`, which tell what kind of file it is.
    func head(of file: Handle) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = try LocalFileSystem().read(
                file, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
