import FileSystem
public import Foundation
import Synchronization

/// A folder on a collection's own volume where the files of a batch gather before they are
/// inserted together.
///
///     let stage = try photos.makeStage()
///     for url in urls { try stage.copy(url) }
///     try photos.insert(stage)
///
/// Nothing in a stage is part of the collection. If the process dies, the files stay in
/// `.staging` for a day and are then removed; a stage that is let go of removes them at once.
/// Sources are never touched before an insert has succeeded.
public final class Stage: Sendable {
    private struct State {
        var assets: [StagedAsset] = []
        var lastNumber = 0
        var isClosed = false
    }

    let name: FileName
    let store: IndexStore
    /// The stage's own folder.
    private let folder: Handle
    private let state = Mutex(State())
    private let remove: @Sendable () throws -> Void

    init(
        name: FileName, folder: Handle, store: IndexStore,
        remove: @escaping @Sendable () throws -> Void
    ) {
        self.name = name
        self.folder = folder
        self.store = store
        self.remove = remove
    }

    deinit {
        // Best effort: what stays is swept a day later.
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
    ///   - name: The name to remember, whose extension the file keeps.
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func write(_ data: Data, name: String = "") throws -> StagedAsset {
        try add { file in
            try store.fileSystem.makeFile(
                file, in: folder, mode: store.options.filePermissions, with: data)
            return StagedAsset(
                in: folder, file, name: name, byteCount: data.count, date: Date(), head: data)
        }
    }

    /// Stages a copy of the file at `url`; volumes that can share its bytes do so.
    ///
    /// - Parameters:
    ///   - url: A regular file.
    ///   - progress: Gets the bytes as completed units, and can cancel.
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `accessDenied`,
    ///   `cancelled`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, progress: progress)
    }

    /// Stages the file at `url`, which goes from there once it was inserted, and not before.
    ///
    /// On the collection's own volume no bytes are copied: until the insert has succeeded, the
    /// file has both names (link(2)). It keeps its permissions.
    ///
    /// - Throws: The same as ``copy(_:progress:)``.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) throws -> StagedAsset {
        try take(url, name: url.lastPathComponent, removing: true, progress: progress)
    }

    /// Stages what `staged`, a file in the system's temporary folder, holds; it goes from there
    /// once it was inserted.
    ///
    /// - Throws: The same as ``copy(_:progress:)``.
    @discardableResult
    public func move(_ staged: StagedAsset) throws -> StagedAsset {
        try take(staged.url, name: staged.name, date: staged.date, removing: true)
    }

    /// Removes the staged files; sources that were to be moved stay where they are.
    ///
    /// Does nothing after an insert has succeeded.
    public func discard() throws {
        if close() { try DirectoryError.describing("discard", folder.url) { try remove() } }
    }
}

extension Stage {
    /// Lets nothing more in, and returns false if that was so already.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    private func take(
        _ url: URL, name: String, date: Date? = nil, removing: Bool = false,
        progress: Progress? = nil
    ) throws -> StagedAsset {
        try url.withAccess {
            let source = try ImportSource(importing: url)
            return try add { staged in
                if try !(removing && link(source, as: staged)) {
                    try copy(source, of: url, as: staged, progress)
                }
                // The size of the copy, because a source can grow meanwhile, or not tell its size.
                let size = try store.fileSystem.status(of: staged, in: folder)?.size
                return StagedAsset(
                    in: folder, staged, name: name, byteCount: size ?? source.status.size,
                    date: date ?? source.status.modificationDate, head: try source.prefix(16),
                    source: removing
                        ? SourceFile(url: url, name: source.name, status: source.status) : nil)
            }
        }
    }

    /// Gives a source a second name in the stage, or returns false if that is not possible.
    ///
    /// A source with several names is not linked, because a change under another name would
    /// change the asset.
    private func link(_ source: ImportSource, as staged: FileName) throws -> Bool {
        guard store.fileSystem is LocalFileSystem, source.status.linkCount == 1 else {
            return false
        }
        do {
            try store.fileSystem.link(source.name, in: source.folder, to: staged, in: folder)
            return true
        } catch is FileSystemError {
            // Another volume, or one without links. For any other reason the copy fails too.
            return false
        }
    }

    private func copy(
        _ source: ImportSource, of url: URL, as staged: FileName, _ progress: Progress?
    ) throws {
        let fileSystem = store.fileSystem
        let targetFileSystem = fileSystem is LocalFileSystem ? nil : fileSystem
        try fileSystem.makeFile(staged, in: folder, mode: store.options.filePermissions) { file in
            try source.copy(to: file, on: targetFileSystem) { count in
                progress?.completedUnitCount += Int64(count)
                if progress?.isCancelled == true || Task.isCancelled {
                    throw DirectoryError(.cancelled, "import", url, "the import was cancelled")
                }
            }
        }
    }

    /// Makes a file under a new name in the stage by `body`.
    private func add(_ body: (FileName) throws -> StagedAsset) throws -> StagedAsset {
        let number = try state.withLock { state in
            guard !state.isClosed else {
                throw DirectoryError(
                    .stageClosed, "stage a file in", folder.url, "the stage is closed")
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        return try DirectoryError.describing("stage a file in", folder.url) {
            let staged = try body(FileName(validating: "\(number)"))
            state.withLock { $0.assets.append(staged) }
            return staged
        }
    }
}
