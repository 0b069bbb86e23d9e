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
    /// The file must be readable, but not its folder, as for a file that a user picked in a
    /// sandbox. On Apple, a copy that shares bytes has the extended attributes of its source too.
    ///
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - progress: Counts half of each byte, and can cancel the copy. The other half is for the insert of the stage,
    ///     which can have the same progress, and finishes it. A later copy with the same progress adds its bytes to the
    ///     total, so that the fraction becomes smaller. Copies at the same time need one each.
    /// - Returns: The staged file.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`,
    ///   `accessDenied`, `deviceLocked`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, progress: progress)
    }

    /// Stages copies of the files at `urls`, several at a time: all of them, or none.
    ///
    /// All files are checked before the first one is copied, so that a folder or a link among them
    /// is found at once.
    ///
    /// - Parameters:
    ///   - urls: The URLs of regular files.
    ///   - progress: Counts half of each byte, and can cancel the copies. The other half is for the insert of the
    ///     stage, which can have the same progress, and finishes it. A later copy with the same progress adds its bytes
    ///     to the total, so that the fraction becomes smaller. Copies at the same time need one each.
    /// - Returns: The staged files, in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`,
    ///   `accessDenied`, `deviceLocked`, `stageClosed`, `noSpace` or `ioFailure`; then no file is staged.
    @discardableResult
    public func copy(_ urls: [URL], progress: Progress? = nil) throws -> [StagedAsset] {
        try copy(urls.map(CheckedSource.init), progress)
    }

    /// Stages copies of the files at `urls`, and skips everything that is not a readable regular
    /// file.
    ///
    /// - Parameters:
    ///   - urls: The URLs of anything, such as the files that people drop on a window.
    ///   - progress: Counts half of each byte, and can cancel the copies. The other half is for the insert of the
    ///     stage, which can have the same progress, and finishes it. A later copy with the same progress adds its bytes
    ///     to the total, so that the fraction becomes smaller. Copies at the same time need one each.
    /// - Returns: The staged and the skipped files, both in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `deviceLocked`, `stageClosed`, `noSpace` or
    ///   `ioFailure`; then no file is staged.
    public func copy(readable urls: [URL], progress: Progress? = nil) throws -> (
        staged: [StagedAsset], skipped: [SkippedFile]
    ) {
        let (sources, skipped) = try CheckedSource.checkEach(urls)
        return (try copy(sources, progress), skipped)
    }

    private func copy(_ sources: [CheckedSource], _ progress: Progress?) throws -> [StagedAsset] {
        try copyProgress.counting(sources.byteCount, progress) { try copy(sources, $0) }
    }

    /// Stages the file at `url`, which is removed after the staged file was inserted.
    ///
    /// Until then the staged file is a copy, as `copy(_:progress:)` makes it, so that later writes to the source do
    /// not change it. A source that was replaced or written to since it was staged is not removed. The folder of the
    /// source must be readable.
    ///
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceOwned` if an item of a collection owns the
    ///   file, which would lose it, `sourceMissing`, `sourceNotFile`, `notDownloaded`, `accessDenied`, `deviceLocked`,
    ///   `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, removing: true, progress: progress)
    }

    /// Stages `staged`, a file in the system's temporary folder; it is removed after the new staged
    /// file was inserted.
    ///
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `accessDenied`, `stageClosed`, `noSpace`
    ///   or `ioFailure`.
    @discardableResult
    public func move(_ staged: StagedAsset) throws -> StagedAsset {
        try staged.naming {
            try take(staged.url, name: staged.name, date: staged.date, removing: true)
        }
    }
}

extension Stage {
    /// Stages copies of `sources`, several at a time: all of them, or none.
    func copy(_ sources: [CheckedSource], _ bytes: ByteProgress) throws -> [StagedAsset] {
        try add(sources.count) { files in
            let staged = Mutex([StagedAsset?](repeating: nil, count: files.count))
            do {
                try onThreads(4, count: files.count) { [self] number in
                    // An empty file has no bytes, which would be counted.
                    try bytes.checkCancellation()
                    let asset = try copy(sources[number].url, as: files[number], bytes)
                    staged.withLock { $0[number] = asset }
                }
            } catch {
                // Best effort: the remaining files are removed with the stage.
                for file in files { try? fileSystem.removeFile(file, in: folder) }
                throw error
            }
            return staged.withLock { $0 }.compactMap(\.self)
        }
    }

    private func copy(_ url: URL, as file: FileName, _ bytes: ByteProgress) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            return try source.describingItsErrors(at: url) {
                try copy(source, as: file, bytes)
                return try asset(file, from: source, name: url.lastPathComponent)
            }
        }
    }

    private func take(
        _ url: URL, name: String, date: Date? = nil, removing: Bool = false,
        progress: Progress? = nil
    ) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            if removing { try source.checkThatNoItemOwnsIt(at: url) }
            let origin =
                removing ? SourceFile(url: url, name: source.name, status: source.status) : nil
            return try copyProgress.counting(source.status.size, progress) { bytes in
                try add(1) { files in
                    try source.describingItsErrors(at: url) {
                        try copy(source, as: files[0], bytes)
                        return [
                            try asset(
                                files[0], from: source, name: name, date: date, origin: origin)
                        ]
                    }
                }
            }[0]
        }
    }

    /// The staged file `file`, a copy of `source`.
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

    private func copy(
        _ source: ImportSource, as staged: FileName, _ bytes: ByteProgress
    ) throws {
        let targetFileSystem = fileSystem is LocalFileSystem ? nil : fileSystem
        let mode = collection.options.filePermissions
        try fileSystem.makeFile(staged, in: folder) {
            try source.copy(
                as: staged, in: folder, mode: mode, on: targetFileSystem,
                prepare: { try collection.protect($0, mode: mode) }
            ) { try bytes.count($0) }
        }
    }
}
