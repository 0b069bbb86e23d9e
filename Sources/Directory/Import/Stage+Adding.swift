import FileSystem
public import Foundation
import Synchronization

extension Stage {
    /// Stages a new file with the bytes of `data`.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - name: The original name, whose extension the file keeps.
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func write(_ data: Data, name: String = "") throws -> StagedAsset {
        try add(1) { files in
            try fileSystem.makeFile(
                files[0], in: folder, mode: collection.options.filePermissions,
                as: collection.options.protection, with: data)
            return [
                StagedAsset(
                    in: folder, files[0], name: name, byteCount: data.count, date: Date(),
                    head: data)
            ]
        }[0]
    }

    /// Stages a copy of the file at `url`, which shares its bytes if the volume can do that.
    ///
    /// The folder of the file need not be readable, as that of a file that a user picked in a
    /// sandbox. On Apple, a copy that shares bytes has the extended attributes of its source too.
    ///
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - progress: Counts the copied bytes of all bytes, and can cancel the copy.
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `accessDenied`,
    ///   `cancelled`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, progress: progress)
    }

    /// Stages copies of the files at `urls`, several at a time: all of them, or none.
    ///
    /// All files are looked at before the first one is copied, so that a folder or a link among them
    /// costs no time.
    ///
    /// - Parameters:
    ///   - urls: The URLs of regular files.
    ///   - progress: Counts the copied bytes of all bytes, and can cancel the copies.
    ///   - skip: Called for each URL that is not that of a readable regular file, with the reason;
    ///     it is left out. Nil if such a URL is an error.
    /// - Returns: The staged files, in the order of `urls`.
    /// - Throws: The errors of `copy(_:progress:)`; then no file is staged.
    @discardableResult
    public func copy(
        _ urls: [URL], progress: Progress? = nil,
        skipping skip: ((URL, DirectoryError) -> Void)? = nil
    ) throws -> [StagedAsset] {
        let sources = try CheckedSource.check(urls, skipping: skip)
        let bytes = ByteProgress(progress, of: sources.byteCount)
        let staged = try copy(sources, bytes)
        bytes.finish()
        return staged
    }

    /// Stages the file at `url`, which is removed after the staged file was inserted.
    ///
    /// On the collection's own volume no bytes are copied: the file has two names (link(2)) until
    /// the insert has succeeded, and keeps its permissions. With
    /// ``DirectoryOptions/dataProtection`` the file is copied, because the source keeps its class
    /// until then. The folder of the source must be readable. A source that was replaced or written
    /// to since it was staged is not removed.
    ///
    /// - Throws: The errors of `copy(_:progress:)`.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, removing: true, progress: progress)
    }

    /// Stages `staged`, a file in the system's temporary folder, which is removed after the new
    /// staged file was inserted.
    ///
    /// - Throws: The errors of `copy(_:progress:)`.
    @discardableResult
    public func move(_ staged: StagedAsset) throws -> StagedAsset {
        try take(staged.url, name: staged.name, date: staged.date, removing: true)
    }
}

extension Stage {
    /// Stages copies of `sources`, several at a time: all of them, or none.
    func copy(_ sources: [CheckedSource], _ bytes: ByteProgress) throws -> [StagedAsset] {
        try add(sources.count) { files in
            let staged = Mutex([StagedAsset?](repeating: nil, count: files.count))
            do {
                try onThreads(4, count: files.count) { [self] number in
                    let asset = try copy(sources[number].url, as: files[number], bytes)
                    staged.withLock { $0[number] = asset }
                }
            } catch {
                // Best effort: the files that stay are removed with the stage.
                for file in files { try? fileSystem.removeFile(file, in: folder) }
                throw error
            }
            return staged.withLock { $0 }.compactMap(\.self)
        }
    }

    private func copy(_ url: URL, as file: FileName, _ bytes: ByteProgress) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            try copy(source, of: url, as: file, bytes)
            return try asset(file, from: source, name: url.lastPathComponent)
        }
    }

    private func take(
        _ url: URL, name: String, date: Date? = nil, removing: Bool = false,
        progress: Progress? = nil
    ) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            let sourceFolder = removing ? try source.openFolder(of: url) : nil
            let bytes = ByteProgress(progress, of: source.status.size)
            return try add(1) { files in
                if try sourceFolder.map({ try link(source, in: $0, as: files[0]) }) == true {
                    try bytes.count(source.status.size, of: url)
                } else {
                    try copy(source, of: url, as: files[0], bytes)
                }
                bytes.finish()
                let origin =
                    removing ? SourceFile(url: url, name: source.name, status: source.status) : nil
                return [try asset(files[0], from: source, name: name, date: date, origin: origin)]
            }[0]
        }
    }

    /// The staged file `file`, which has the bytes of `source`.
    private func asset(
        _ file: FileName, from source: ImportSource, name: String, date: Date? = nil,
        origin: SourceFile? = nil
    ) throws -> StagedAsset {
        // The size of the copy, because a source can grow meanwhile, or report no size.
        let size = try fileSystem.status(of: file, in: folder)?.size
        return StagedAsset(
            in: folder, file, name: name, byteCount: size ?? source.status.size,
            date: date ?? source.status.modificationDate,
            head: try source.prefix(FileKind.headCount), source: origin)
    }

    /// Gives a source a second name in the stage, or returns false if that is not possible.
    ///
    /// A source with several names is not linked, because a change under another name would
    /// change the asset. With data protection no source is linked, because the class of the source
    /// would change before the insert.
    private func link(_ source: ImportSource, in sourceFolder: Handle, as staged: FileName) throws
        -> Bool
    {
        guard fileSystem is LocalFileSystem, source.status.linkCount == 1,
            collection.options.dataProtection == nil
        else { return false }
        do {
            try fileSystem.link(source.name, in: sourceFolder, to: staged, in: folder)
            return true
        } catch is FileSystemError {
            // Another volume, or one without links. For any other reason, the copy fails too.
            return false
        }
    }

    private func copy(
        _ source: ImportSource, of url: URL, as staged: FileName, _ bytes: ByteProgress
    ) throws {
        let targetFileSystem = fileSystem is LocalFileSystem ? nil : fileSystem
        let mode = collection.options.filePermissions
        try fileSystem.makeFile(staged, in: folder) {
            try source.copy(
                as: staged, in: folder, mode: mode, on: targetFileSystem,
                prepare: { try collection.protect($0, mode: mode) }
            ) { try bytes.count($0, of: url) }
        }
    }
}
