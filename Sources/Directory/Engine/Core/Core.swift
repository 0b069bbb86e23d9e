import FileSystem
import Foundation
import Synchronization

/// The shared state of all `Directory` values of one index in a process: the published items, the
/// observers, and the writer's knowledge of the files.
///
/// Readers read `state`, which is locked only for moments, never during calls to the disk. `writer`
/// is locked for a whole load or commit, so these take place one after the other.
final class Core: Sendable {
    struct State: Sendable {
        var snapshot = Snapshot.empty
        var phase = DirectoryPhase.idle
        /// Whether a load has ever succeeded, so that the items are shown.
        var hasLoaded = false
        /// The newest read state, if it was refused because too much of it is damaged.
        var refused: Snapshot?
        /// The folder of the index, after it was found or made.
        var identity: FileIdentity?
        /// Whether changes are refused; set while the writer is locked.
        var isClosed = false
    }

    struct Writer: Sendable {
        var known = KnownIndex()
        /// Whether the files of dead processes were removed.
        var hasTidied = false
        /// The status of the folder when it had no place for transactions; nil if that is not known.
        var tidyFolder: FileStatus?
        /// When to look again for removed items that have expired; nil if nobody has looked.
        var nextRemoval: ContinuousClock.Instant?
    }

    let store: IndexStore
    let reader: any ElementReader
    let state = Mutex(State())
    let writer = WriterLock(Writer())
    let broadcaster = Broadcaster()
    let commits = CommitQueue()
    let live = LiveTransactions()
    let background = BackgroundWork()
    let edits = PendingEdits()
    let watcher = Watcher()
    let history: UndoHistory
    /// The number of handles, such as `Directory` values.
    let handleCount = Atomic(0)
    let location: CurrentLocation

    init(
        _ location: any FolderLocation, _ store: IndexStore, _ type: any ElementReader.Type
    ) {
        let location = CurrentLocation(location)
        let index = store.names.index.string
        self.location = location
        self.store = store
        history = UndoHistory(limit: store.options.undoLimit)
        reader = type.init(
            store.options,
            url: location.value.url.appending(path: index, directoryHint: .notDirectory))
    }

    deinit {
        checkpointIfFree()
        if let owner = history.clear() { removeKept(owner) }
    }

    var fileSystem: any FileSystem { store.fileSystem }
    /// The URL of the index, for messages.
    var url: URL { reader.url }
    /// The index as this process knows it; waits while another thread loads or commits.
    var known: KnownIndex { writer.read().known }
    /// The newest published items.
    var snapshot: Snapshot { state.withLock { $0.snapshot } }
    /// The newest state that was read; it is not published if it was refused.
    var newestRead: Snapshot { state.withLock { $0.refused ?? $0.snapshot } }
}

/// The location at which the folder was last found.
///
/// A `Directory` value that is opened later can replace it by a location that follows an item.
final class CurrentLocation: Sendable {
    private let state: Mutex<any FolderLocation>

    init(_ location: any FolderLocation) { state = Mutex(location) }

    var value: any FolderLocation {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Whether the folder belongs to an item, but was opened by its path: the index above was not
    /// read.
    var isContainerAtPath: Bool { value.isContainer && !value.followsItem }
}

extension Core {
    /// The number of items, observed on its own.
    var count: Int {
        broadcaster.observers.access(\.count)
        return snapshot.elements.count
    }

    /// The phase, observed.
    var phase: DirectoryPhase {
        broadcaster.observers.access(\.phase)
        return currentPhase
    }

    /// The phase, not observed.
    var currentPhase: DirectoryPhase { state.withLock { $0.phase } }

    /// Shows `snapshot` to readers, then `changes` to streams.
    func publish(_ snapshot: Snapshot, _ changes: [ElementChange]) {
        state.withLock { $0.snapshot = snapshot }
        if !changes.isEmpty { broadcaster.publish(changes) }
    }

    /// Sets the phase, or, if `ifIdle`, sets it only if it is idle; returns the events for observers.
    func setPhase(_ next: DirectoryPhase, ifIdle: Bool = false) -> [Broadcaster.Event] {
        state.withLock { state in
            // Compared without copies: almost every change finds the collection loaded.
            if case .loaded = next, case .loaded = state.phase { return [] }
            if ifIdle, state.phase != .idle { return [] }
            if next == .loaded { state.hasLoaded = true }
            defer { state.phase = next }
            return state.phase == next ? [] : [.phase]
        }
    }
}

extension Core {
    /// The URL of the folder, according to the items in memory.
    var folderURL: URL { location.value.url }

    /// Opens the folder of the index; nil if it does not exist yet.
    ///
    /// A folder that was found once is never made again.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved` if the folder that this collection was
    ///   opened in is no longer at its place. If `making`, `closed` after the collection was
    ///   closed.
    func openFolder(making: Bool) throws -> IndexFolder? {
        if making { try refuseIfClosed() }
        let identity = state.withLock { $0.identity }
        if let kept = try keptFolder() { return kept }
        store.folder.file = nil
        for isLastTry in [false, true] {
            let folder = try location.value.open(making: making && identity == nil)
            guard let identity else {
                if let folder { try adopt(folder) }
                return folder.map { IndexFolder(store: store, handle: $0) }
            }
            if let folder, try fileSystem.status(of: folder).identity == identity {
                if making, !location.value.followsItem {
                    store.folder.file = .init(handle: folder, identity: identity)
                }
                return IndexFolder(store: store, handle: folder)
            }
            if !isLastTry { try location.value.refresh() }
        }
        throw folderIsRemoved
    }

    /// The folder of the index if it is open, else as ``openFolder(making:)`` finds it.
    ///
    /// The caller locks the index, and then checks that the folder is in its place.
    func folderToLock(making: Bool) throws -> IndexFolder? {
        guard let kept = store.folder.file, kept.identity == state.withLock({ $0.identity }) else {
            return try openFolder(making: making)
        }
        return IndexFolder(store: store, handle: kept.handle)
    }

    /// Opens the folder of the index; nil if it is no longer where it was last found.
    func openFolderIfUnmoved() throws -> IndexFolder? {
        if let kept = try keptFolder() { return kept }
        guard let folder = try location.value.openIfUnmoved(),
            try fileSystem.status(of: folder).identity == state.withLock({ $0.identity })
        else { return nil }
        return IndexFolder(store: store, handle: folder)
    }

    /// The folder of the index, if it is open and still in its place.
    private func keptFolder() throws -> IndexFolder? {
        guard let kept = store.folder.file, kept.identity == state.withLock({ $0.identity }),
            try location.value.status()?.identity == kept.identity
        else { return nil }
        return IndexFolder(store: store, handle: kept.handle)
    }

    /// The status of the folder of the index, which is still where it was found.
    ///
    /// A call that has found the folder, and then waited for its lock, asks for this when it has the lock. A process
    /// that had the lock before may have removed the folder, because of what it saw in it; a change would be lost there.
    ///
    /// - Throws: ``Busy``: when the call has released its locks, it finds the folder again, or finds out that it was
    ///   removed.
    func statusInPlace() throws -> FileStatus {
        guard let status = try location.value.status(),
            status.identity == state.withLock({ $0.identity })
        else { throw folderHasMoved() }
        return status
    }

    /// Forgets the open folder, which is no longer where it was found, and returns the error of the call.
    func folderHasMoved() -> Busy {
        store.folder.file = nil
        return Busy(
            error: DirectoryError(
                .locked, "lock", folderURL, "others are moving the folder",
                people: .init(operation: "use", reason: "its folder is being moved now")))
    }

    /// Remembers the folder of the index when it is first found or made.
    private func adopt(_ folder: Handle) throws {
        let anchor = FolderAnchor(folder: try fileSystem.status(of: folder).identity)
        state.withLock { $0.identity = anchor.folder }
        Registry.shared.move(self, at: location.value, to: anchor)
    }

    /// Remembers another location of the same folder, if that location follows an item.
    func found(at other: any FolderLocation, _ anchor: FolderAnchor) {
        if anchor.missingPath.isEmpty { state.withLock { $0.identity = anchor.folder } }
        if other.followsItem { location.value = other }
    }

    /// Whether this core's folder is still the one at `anchor`, to which `other` leads.
    ///
    /// False for a closed core, whose index gets a new core, and for a core whose folder was moved
    /// or removed, even if a new folder has its inode.
    func leads(to anchor: FolderAnchor, as other: any FolderLocation) -> Bool {
        let (identity, isClosed) = state.withLock { ($0.identity, $0.isClosed) }
        if isClosed { return false }
        if let identity, anchor != FolderAnchor(folder: identity) { return false }
        let location = location.value
        if location.isSame(as: other) { return true }
        do {
            return try location.anchor() == anchor
        } catch {
            // Whatever the reason, this core cannot reach the folder.
            return false
        }
    }

    /// The result of `body`, with the errors of the file system described as `operation` on the
    /// index.
    ///
    /// If a container was removed while `body` worked in it, the error is `containerRemoved`.
    func describing<Result>(_ operation: String, _ body: () throws -> Result) throws -> Result {
        try DirectoryError.describing(operation, url) { try noticingRemoval(body) }
    }

    /// The result of `body`; if it failed because a container was removed meanwhile, the error is
    /// `containerRemoved`.
    func noticingRemoval<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error where Self.canComeFromRemoval(error) {
            do {
                _ = try openFolder(making: false)
            } catch let removal as DirectoryError where removal.code == .containerRemoved {
                throw removal
            } catch {
                // The first error is the one to report.
            }
            throw error
        }
    }

    /// Whether the error can come from files that are missing or do not belong together, because
    /// another process is removing the folder file by file.
    private static func canComeFromRemoval(_ error: any Error) -> Bool {
        if let error = error as? DirectoryError {
            return error.code.isDamage || [.undoConflict, .inDoubt].contains(error.code)
        }
        return (error as? FileSystemError)?.code == .noSuchFile
    }

    var folderIsMissing: DirectoryError {
        DirectoryError(
            .containerRemoved, "open", folderURL, "the folder does not exist",
            people: .init(reason: "the folder does not exist"))
    }

    private var folderIsRemoved: DirectoryError {
        DirectoryError(.containerRemoved, "open", folderURL, "the folder was removed or replaced")
    }
}
