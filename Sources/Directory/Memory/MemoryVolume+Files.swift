import FileSystem
import Foundation
import Synchronization

extension MemoryVolume {
    /// The files on the disk with the bytes of assets, for views that need the URL of a file.
    struct TemporaryFiles: Sendable {
        /// The folder of these files; nil before the first one.
        private var folder: URL?
        /// The assets that were written.
        private var written: [FileIdentity: (status: FileStatus, url: URL)] = [:]
        private var lastNumber = 0
    }

    /// A file on the disk with the name and the bytes of the asset `name` in `folder`.
    func file(_ name: FileName, in folder: Handle) throws -> URL {
        let asset = try fileSystem.openFile(name, in: folder, for: .read)
        let status = try fileSystem.status(of: asset)
        return try files.withLock { files in
            if let url = files.url(of: status, named: name) { return url }
            return try files.write(fileSystem.readAll(asset), as: name, status)
        }
    }
}

extension MemoryVolume.TemporaryFiles {
    /// The file with the bytes of the asset with `status`; nil if it must be written.
    fileprivate func url(of status: FileStatus, named name: FileName) -> URL? {
        // The system may have removed the file.
        guard let known = written[status.identity], known.url.lastPathComponent == name.string,
            known.status.hasContent(of: status),
            FileManager.default.fileExists(atPath: known.url.path(percentEncoded: false))
        else { return nil }
        return known.url
    }

    /// Writes `bytes` to a new file in a folder of its own, because another asset can have the same
    /// name.
    fileprivate mutating func write(_ bytes: [UInt8], as name: FileName, _ status: FileStatus)
        throws -> URL
    {
        let top =
            folder
            ?? UserFolder.temporary.url.appending(
                path: "MemoryVolume-\(UUID().uuidString)", directoryHint: .isDirectory)
        folder = top
        lastNumber += 1
        let own = top.appending(path: "\(lastNumber)", directoryHint: .isDirectory)
        let disk = LocalFileSystem()
        let handle = try disk.openOrMakeFolder(at: own.path(percentEncoded: false), mode: 0o700)
        try disk.makeFile(name, in: handle, mode: 0o600, with: Data(bytes))
        let url = handle.url(of: name)
        written[status.identity] = (status, url)
        return url
    }

    /// Removes all files.
    mutating func remove() {
        // Best effort: the system empties its temporary folder at some time.
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }
}
