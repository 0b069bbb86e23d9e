import FileSystem
public import Foundation
import Synchronization

/// A folder on a collection's own volume that collects files, to insert them together.
///
///     let stage = try photos.makeStage()
///     for url in urls { try stage.copy(url) }
///     try photos.insert(stage)
///
/// Staged files are not part of the collection. When the last reference to a stage is released,
/// its files are removed. If the process dies first, recovery removes them: at once if it can see
/// that the process has ended, else a day after the last change. Until then
/// ``Directory/Directory/verify()`` reports the stage, with its size. No source is changed before an
/// insert has succeeded.
public final class Stage: Sendable {
    private enum Phase { case open, inserting, closed }

    private struct State {
        var assets: [StagedAsset] = []
        var lastNumber = 0
        var phase = Phase.open
    }

    let name: FileName
    /// The folder of the collection.
    private let collection: IndexFolder
    /// The stage's own folder.
    private let folder: Handle
    private let live: LiveTransactions
    /// Throws if the folder of the collection was removed; keeps what `live` belongs to alive, so that
    /// the stage can be inserted.
    private let checkCollection: @Sendable () throws -> Void
    private let state = Mutex(State())

    /// Makes a stage in the folder `collection`, which recovery leaves alone while it is in the `live`
    /// transactions.
    ///
    /// `checkCollection` throws if the folder was removed.
    init(
        in collection: IndexFolder, _ live: LiveTransactions,
        checkCollection: @escaping @Sendable () throws -> Void
    ) throws {
        self.collection = collection
        self.live = live
        self.checkCollection = checkCollection
        name = try collection.names.transactionFolder()
        live.insert(name)
        do {
            folder = try Self.makeFolder(name, in: collection)
        } catch {
            live.remove(name)
            throw error
        }
    }

    /// Makes the stage's folder, with the file that names its owner.
    private static func makeFolder(_ name: FileName, in collection: IndexFolder) throws -> Handle {
        try collection.openOrMake(name, in: IndexNames.staging, durably: false) { folder in
            try StageOwner.makeFile(in: folder, of: collection)
        }
    }

    deinit {
        // Best effort: recovery removes files that stay.
        try? discard()
    }

    /// The files staged so far, in the order of the calls.
    public var assets: [StagedAsset] { state.withLock { $0.assets } }
}

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
        try add { file in
            try fileSystem.makeFile(
                file, in: folder, mode: collection.options.filePermissions,
                as: collection.options.protection, with: data)
            return StagedAsset(
                in: folder, file, name: name, byteCount: data.count, date: Date(), head: data)
        }
    }

    /// Stages a copy of the file at `url`, which shares its bytes if the volume can do that.
    ///
    /// The folder of the file need not be readable, as that of a file that a user picked in a
    /// sandbox. On Apple, a copy that shares bytes has the extended attributes of its source too.
    ///
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - progress: Its completed units count the copied bytes, and it can cancel the copy.
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `accessDenied`,
    ///   `cancelled`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, progress: progress)
    }

    /// Stages the file at `url`, which is removed after the staged file was inserted.
    ///
    /// On the collection's own volume no bytes are copied: the file has two names (link(2)) until
    /// the insert has succeeded, and keeps its permissions. With
    /// ``DirectoryOptions/dataProtection`` the file is copied, because the source keeps its class
    /// until then. The folder of the source must be readable. A source that was replaced or written
    /// to since it was staged is not removed.
    ///
    /// - Throws: The errors of ``copy(_:progress:)``.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, removing: true, progress: progress)
    }

    /// Stages `staged`, a file in the system's temporary folder, which is removed after the new
    /// staged file was inserted.
    ///
    /// - Throws: The errors of ``copy(_:progress:)``.
    @discardableResult
    public func move(_ staged: StagedAsset) throws -> StagedAsset {
        try take(staged.url, name: staged.name, date: staged.date, removing: true)
    }

    /// Removes the staged files, but no source.
    ///
    /// Does nothing after an insert has succeeded. If an insert failed and could not be undone, the
    /// files stay until recovery has undone it.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed` while the stage is being inserted,
    ///   `accessDenied` or `ioFailure`.
    public func discard() throws {
        let wasOpen = try state.withLock { state in
            guard state.phase != .inserting else {
                throw isClosed("discard", "it is being inserted")
            }
            defer { state.phase = .closed }
            return state.phase == .open
        }
        guard wasOpen else { return }
        defer { live.remove(name) }
        try DirectoryError.describing("discard", folder.url) {
            guard let staging = try collection.openFolder(IndexNames.staging),
                // Recovery needs an intent that stayed.
                try fileSystem.status(of: Intent.fileName, in: folder) == nil
            else { return }
            try collection.removeStage(name, in: staging)
            collection.removeIfEmpty(IndexNames.staging)
        }
    }
}

extension Stage {
    /// Closes the stage for everything but one insert, and returns its files.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed`.
    func beginInsert() throws -> [StagedAsset] {
        try state.withLock { state in
            guard state.phase == .open else {
                throw isClosed("insert", "it is being inserted, or was inserted or discarded")
            }
            state.phase = .inserting
            return state.assets
        }
    }

    /// Opens the stage again after an insert failed.
    func didFailToInsert() { state.withLock { $0.phase = .open } }

    /// Ends the stage after its files were inserted, and removes the sources of moves.
    func didInsert() {
        state.withLock { $0.phase = .closed }
        // Best effort: the items are committed, and a source that stays can be removed by hand.
        for asset in assets { try? asset.source?.remove() }
    }

    private func isClosed(_ operation: String, _ reason: String) -> DirectoryError {
        DirectoryError(.stageClosed, operation, folder.url, reason)
    }

    private var fileSystem: any FileSystem { collection.fileSystem }

    private func take(
        _ url: URL, name: String, date: Date? = nil, removing: Bool = false,
        progress: Progress? = nil
    ) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            let sourceFolder = removing ? try source.openFolder(of: url) : nil
            return try add { staged in
                if try sourceFolder.map({ try link(source, in: $0, as: staged) }) != true {
                    try copy(source, of: url, as: staged, progress)
                }
                // The size of the copy, because a source can grow meanwhile, or report no size.
                let size = try fileSystem.status(of: staged, in: folder)?.size
                return StagedAsset(
                    in: folder, staged, name: name, byteCount: size ?? source.status.size,
                    date: date ?? source.status.modificationDate,
                    head: try source.prefix(FileKind.headCount),
                    source: removing
                        ? SourceFile(url: url, name: source.name, status: source.status) : nil)
            }
        }
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
        _ source: ImportSource, of url: URL, as staged: FileName, _ progress: Progress?
    ) throws {
        let targetFileSystem = fileSystem is LocalFileSystem ? nil : fileSystem
        let mode = collection.options.filePermissions
        try fileSystem.makeFile(staged, in: folder) {
            try source.copy(
                as: staged, in: folder, mode: mode, on: targetFileSystem,
                prepare: { try collection.protect($0, mode: mode) }
            ) { count in
                progress?.completedUnitCount += Int64(count)
                if progress?.isCancelled == true || Task.isCancelled {
                    throw DirectoryError(.cancelled, "import", url, "the import was cancelled")
                }
            }
        }
    }

    /// Stages the file that `body` makes with a new name.
    private func add(_ body: (FileName) throws -> StagedAsset) throws -> StagedAsset {
        let number = try state.withLock { state in
            guard state.phase == .open else { throw isClosed("stage a file in", "it is closed") }
            state.lastNumber += 1
            return state.lastNumber
        }
        return try DirectoryError.describing("stage a file in", folder.url) {
            let staged: StagedAsset
            do {
                staged = try body(FileName(validating: "\(number)"))
            } catch let error as FileSystemError where error.code == .noSuchFile {
                try checkCollection()
                throw error
            }
            try state.withLock { state in
                // The file is removed with the stage.
                guard state.phase == .open else {
                    throw isClosed("stage a file in", "it was closed meanwhile")
                }
                state.assets.append(staged)
            }
            return staged
        }
    }
}
